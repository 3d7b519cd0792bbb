"""How texts and questions become terms: folded first, then stop words, then stems.

Accents are folded before stemming, so that words typed with and without them are equal by construction; ñ is a
letter of its own and stays. Stop words keep "no" and "sin", which turn a rule round. The tokenizer parts words and
numbers at every sign, so `58/2003` is two neighbours, found whole as a phrase and in its parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tantivy import Filter, PreTokenizedString, TextAnalyzer, TextAnalyzerBuilder, Token, Tokenizer

MAIN_LANGUAGE = "es"
"""The language whose words stand in the index as they are."""
LONGEST_WORD = 60
MOST_REMEMBERED = 100_000

_STOP_WORDS = """
    a al algo algun alguna algunas alguno algunos ante antes aquel aquella aquellas aquellos asi aun aunque cada
    como con cual cuales cuando cuanta cuantas cuanto cuantos cuya cuyas cuyo cuyos de debe deben debo del desde
    dicha dichas dicho dichos donde durante e el ella ellas ello ellos en entre era eran eres es esa esas ese
    eso esos esta estas este esto estos fue fueron ha habia habian han hasta hay haya hayan he hemos hubo la las
    le les lo los mas me mi mia mis misma mismas mismo mismos mucha muchas mucho muchos muy ni nos nosotros o os
    otra otras otro otros para pero poco por porque pueda puede pueden puedo que quien quienes se sea sean segun
    ser sera seran seria serian si sido siendo sino sobre sois somos son soy su sus suya suyas suyo suyos tal
    tales tambien tan tanto te tenga tengan tengo ti tiene tienen todo todos tu tus u un una unas uno unos
    vosotros y ya yo
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

# ñ would fold to n; this letter of another script passes through folding and stemming as a consonant.
KEPT_N = "ђ"
_PREPARED = (("ñ", KEPT_N), ("Ñ", KEPT_N), ("º", " "), ("ª", " "))
_STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nb": "norwegian", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish",
}  # fmt: skip
_OTHER_STOP_WORDS = {"da", "de", "en", "fi", "fr", "hu", "it", "nb", "nl", "nn", "no", "pt", "ru", "sv"}


@dataclass(frozen=True)
class Term:
    """One content word: its stem, its folded form, and which word of the text it is."""

    stem: str
    word: str
    position: int

    @property
    def is_number(self) -> bool:
        """Whether it is made of digits, which are never guessed at."""
        return self.word.isdigit()


class Analyzer:
    """Makes terms of texts in one language; a language without a stemmer is only folded.

    In the index every language but the main one marks its words with its code, so that the languages share fields and
    nothing else: a word is as rare as it is in its own language.

    >>> analyzer = spanish()
    >>> [term.stem for term in analyzer.terms("La tributación de los no residentes (art.27)")]
    ['tribut', 'no', 'resident', 'art', '27']
    >>> analyzer.terms("TRIBUTACION") == analyzer.terms("tributación")
    True
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self.mark = "" if language == MAIN_LANGUAGE else f"{language}:"
        self.words = _chain(language).build()
        stemmer = _STEMMERS.get(language)
        self.stems = _chain(language).filter(Filter.stemmer(stemmer)).build() if stemmer else self.words
        self.stem_of = StemsOf(self.stems)

    def terms(self, text: str) -> list[Term]:
        """Give the content words of a text, in order."""
        ready = prepared(text)
        pairs = zip(self.stems.pre_tokenize(ready).tokens, self.words.pre_tokenize(ready).tokens, strict=True)
        return [Term(stem.text, word.text, word.position) for stem, word in pairs]

    def stems_in(self, text: str) -> list[str]:
        """Give the stems of a text alone, in a third of the time that its terms take."""
        found: list[str] = self.stems.analyze(prepared(text))
        return found

    def other_numbers(self, word: str) -> list[str]:
        """Give what may be the singular or plural of a word and has another stem; none where the stemmer sees all."""
        return forms(word) if self.language == "es" else []

    def marked(self, chain: TextAnalyzer, text: str) -> PreTokenizedString:
        """Give the words of a text as one of the two chains makes them, marked as the index holds them."""
        ready = prepared(text)
        tokens = chain.pre_tokenize(ready).tokens
        marked = [Token(self.mark + one.text, one.position, one.char_offset_from, one.char_offset_to) for one in tokens]
        return PreTokenizedString(ready, marked)


class StemsOf(dict[str, str]):
    """The stem of any word as it stands in a text, nothing for a stop word; each is worked out once."""

    def __init__(self, stems: TextAnalyzer) -> None:
        super().__init__()
        self._stems = stems

    def __missing__(self, word: str) -> str:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        stem = self[word] = " ".join(self._stems.analyze(prepared(word)))
        return stem


def prepared(text: str) -> str:
    """Make a text ready for the analyzers: what their folding would spoil is replaced, length unchanged."""
    for sign, replacement in _PREPARED:
        text = text.replace(sign, replacement)
    return text


@cache
def analyzer(language: str) -> Analyzer:
    """Give this process's analyzer of a language (ISO 639-1)."""
    return Analyzer(language)


@cache
def unfolded() -> TextAnalyzer:
    """Give what only parts a text into its words, as they are written."""
    return TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(LONGEST_WORD)).build()


def spanish() -> Analyzer:
    """Give the analyzer of Spanish."""
    return analyzer("es")


def forms(word: str) -> list[str]:
    """Give what may be the other number of a folded Spanish word; most candidates are no word at all.

    The stemmer leaves short words alone that begin with a vowel (acto, actos) and parts some others
    (interés, intereses; juez, jueces).

    >>> forms("actos"), forms("juez")
    (['acto', 'actoses'], ['juezs', 'jueces'])
    """
    found = [word[: -len(ending)] for ending in ("s", "es") if word.endswith(ending)]
    if word.endswith("ces"):
        found.append(word[:-3] + "z")
    if not word.endswith("s"):
        found.append(word + "s")
    found.append(word[:-1] + "ces" if word.endswith("z") else word + "es")
    return found


def _chain(language: str) -> TextAnalyzerBuilder:
    chain = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(LONGEST_WORD)).filter(Filter.lowercase())
    if language in _OTHER_STOP_WORDS:
        chain = chain.filter(Filter.stopword(_STEMMERS[language]))
    chain = chain.filter(Filter.ascii_fold())
    return chain.filter(Filter.custom_stopword(sorted(STOP_WORDS))) if language == "es" else chain

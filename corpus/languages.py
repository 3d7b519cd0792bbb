"""Codes of languages and countries as sources write them, in the two letters that the corpus keeps."""

from __future__ import annotations

import re

# ISO 639-2 (both sets) and the EU's authority codes.
_LANGUAGES = {
    "ara": "ar", "baq": "eu", "eus": "eu", "bul": "bg", "cat": "ca", "ces": "cs", "cze": "cs", "dan": "da", "deu": "de",
    "ger": "de", "dut": "nl", "nld": "nl", "ell": "el", "gre": "el", "eng": "en", "est": "et", "fin": "fi", "fra": "fr",
    "fre": "fr", "gle": "ga", "glg": "gl", "hrv": "hr", "hun": "hu", "ice": "is", "isl": "is", "ita": "it", "lav": "lv",
    "lit": "lt", "ltz": "lb", "mlt": "mt", "nno": "nn", "nob": "nb", "nor": "no", "pol": "pl", "por": "pt", "roh": "rm",
    "ron": "ro", "rum": "ro", "rus": "ru", "slk": "sk", "slo": "sk", "slv": "sl", "sme": "se", "spa": "es", "swe": "sv",
    "tam": "ta", "tur": "tr", "ukr": "uk", "cym": "cy", "wel": "cy", "afr": "af", "zul": "zu", "xho": "xh", "swa": "sw",
}  # fmt: skip
LANGUAGES = frozenset(_LANGUAGES.values())
UNKNOWN = "und"
# ISO 3166-1, as the EU's authority list of countries has them, of countries that publish such texts.
_COUNTRIES = {
    "ARG": "ar", "AUS": "au", "AUT": "at", "BEL": "be", "BGR": "bg", "BRA": "br", "CAN": "ca", "CHE": "ch", "CHL": "cl",
    "COL": "co", "CYP": "cy", "CZE": "cz", "DEU": "de", "DNK": "dk", "ESP": "es", "EST": "ee", "EUR": "eu", "FIN": "fi",
    "FRA": "fr", "GBR": "gb", "GHA": "gh", "GRC": "gr", "HRV": "hr", "HUN": "hu", "IRL": "ie", "ISL": "is", "ITA": "it",
    "KEN": "ke", "LIE": "li", "LTU": "lt", "LUX": "lu", "LVA": "lv", "MEX": "mx", "MLT": "mt", "NLD": "nl", "NOR": "no",
    "PER": "pe", "POL": "pl", "PRT": "pt", "ROU": "ro", "SMR": "sm", "SVK": "sk", "SVN": "si", "SWE": "se", "TZA": "tz",
    "UGA": "ug", "URY": "uy", "USA": "us", "ZAF": "za",
}  # fmt: skip
# ISO 3166-1 leaves these to whoever wants them: invented law is of such a country.
_OF_USERS = re.compile(r"x[a-z]")
_ALSO = {"uk": "gb", "el": "gr"}
COUNTRIES = frozenset(_COUNTRIES.values())
# The languages in which a country's law has force; where there is one, it needs no saying.
OFFICIAL = {
    "ar": ("es",), "at": ("de",), "au": ("en",), "be": ("nl", "fr", "de"), "bg": ("bg",), "br": ("pt",),
    "ca": ("en", "fr"), "ch": ("de", "fr", "it", "rm"), "cl": ("es",), "co": ("es",), "cz": ("cs",), "de": ("de",),
    "dk": ("da",), "ee": ("et",), "es": ("es",), "fi": ("fi", "sv"), "fr": ("fr",), "gb": ("en",), "gr": ("el",),
    "hr": ("hr",), "hu": ("hu",), "ie": ("en", "ga"), "is": ("is",), "it": ("it",), "li": ("de",), "lt": ("lt",),
    "lu": ("fr",), "lv": ("lv",), "mt": ("mt", "en"), "mx": ("es",), "nl": ("nl",), "no": ("nb", "nn"), "pe": ("es",),
    "pl": ("pl",), "pt": ("pt",), "ro": ("ro",), "se": ("sv",), "si": ("sl",), "sk": ("sk",), "sm": ("it",),
    "us": ("en",), "uy": ("es",),
}  # fmt: skip


def language_code(written: str) -> str:
    """Give the two letters of a language written as a code of two or three, or as an authority's address; or nothing.

    >>> language_code("fin"), language_code("http://publications.europa.eu/resource/authority/language/FRA")
    ('fi', 'fr')
    >>> language_code("de-CH"), language_code("klingon")
    ('de', '')
    """
    code = written.rstrip("/").rsplit("/", 1)[-1].lower().replace("_", "-").split("-")[0]
    return _LANGUAGES.get(code, code if code in LANGUAGES else "")


def country_code(written: str) -> str:
    """Give the two letters of a country written as a code of two or three, or as an authority's address; or nothing.

    >>> country_code("CH"), country_code("http://publications.europa.eu/resource/authority/country/LUX")
    ('ch', 'lu')
    >>> country_code("UK"), country_code("XX"), country_code("Ruritania")
    ('gb', 'xx', '')
    """
    code = written.rstrip("/").rsplit("/", 1)[-1]
    short = _ALSO.get(code.lower(), code.lower())
    return _COUNTRIES.get(code.upper(), short if short in COUNTRIES or _OF_USERS.fullmatch(short) else "")

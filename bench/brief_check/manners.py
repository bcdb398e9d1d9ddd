"""The manners in which briefs cite and quote, in English and Hebrew."""

import random
import re

from bench.brief_check.laws import LawText

_YEAR = re.compile(r"(?:19|20)\d\d\s*$")


def cite(law: LawText, number: str, path: tuple[str, ...], *, style: random.Random, again: bool = False) -> str:
    """A citation. `again`: the act was cited just before, so that `that Act` is enough."""
    clauses = "".join(f"({one})" for one in path)
    at = f"{number}{clauses}"
    if law.is_hebrew:
        return _hebrew(law.title, at, style=style, again=again)
    title = law.title.removeprefix("The ").replace(" , ", ", ")
    if law.style == "us_cfr":
        title_number, part = re.match(r"(\d+) CFR Part (\d+)", law.title).groups()  # type: ignore[union-attr]
        return style.choice(
            [
                f"{title_number} CFR {at}",
                f"{title_number} C.F.R. § {at}",
                f"section {at} of {title_number} CFR Part {part}",
            ]
        )
    if law.style == "us_code":
        number_of_title = re.search(r"Title (\d+)", law.title)
        if number_of_title:
            return style.choice([f"{number_of_title[1]} U.S.C. § {at}", f"{number_of_title[1]} USC {at}"])
    unit = {"eu": "Article", "treaty": "Article", "uk_si": "regulation"}.get(law.style, "section")
    short = {"Article": "Art.", "regulation": "reg", "section": style.choice(["s", "s.", "sec."])}[unit]
    named = f"the {title}" if not title.startswith("Commission") or law.style == "eu" else title
    if law.style == "eu" and (act := re.search(r"(Regulation|Directive) \(E[UC]\) (?:No )?\d+/\d+", title)):
        named = act[0]
    if again:
        kind = (
            "Regulations"
            if unit == "regulation"
            else "Convention"
            if law.style == "treaty"
            else "Regulation"
            if law.style == "eu"
            else "Act"
        )
        if kind in title:
            return style.choice(
                [f"{unit} {at} of that {kind}", f"{short} {at} of the said {kind}", f"ibid, {short} {at}"]
            )
    forms = [f"{unit} {at} of {named}", f"{short} {at} of {named}"]
    if law.style not in ("eu", "treaty"):
        forms.append(f"{title}, {short} {at}")
    return style.choice(forms)


def _hebrew(title: str, at: str, *, style: random.Random, again: bool) -> str:
    unit = "תקנה" if title.startswith("תקנות") else "סעיף"
    kind = title.split(" ")[0]
    article = {"חוק": "לחוק", "פקודת": "לפקודה", "תקנות": "לתקנות", "צו": "לצו"}.get(kind, "")
    if again and article:
        said = {"לחוק": "האמור", "לפקודה": "האמורה", "לתקנות": "האמורות", "לצו": "האמור"}[article]
        return style.choice([f"{unit} {at} {article} {said}", f"שם, {unit} {at}"])
    short = {"סעיף": "ס׳", "תקנה": "תק׳"}[unit]
    return style.choice(
        [f"{unit} {at} ל{title}", f"{unit} {at} ל{title}", f"{short if unit == 'סעיף' else unit} {at} ל{title}"]
    )


def other_year(title: str, *, style: random.Random) -> str:
    """The title with another year, '' where it has none at its end."""
    if not _YEAR.search(title):
        return ""
    shift = style.choice([-3, -2, -1, 1, 2])
    return _YEAR.sub(lambda year: str(int(year[0]) + shift), re.sub(r", ה?תש[א-ת]?[\"״][א-ת][–-]", ", ", title))


def frame(citation: str, quote: str, *, style: random.Random, hebrew: bool) -> str:
    """A sentence or two that quote something from somewhere. Marks of the citation and the quote: \\x01 and \\x02."""
    cited, quoted = f"\x01{citation}\x01", f"\x02{quote}\x02"
    opening, closing = style.choice(
        [("״", "״"), ('"', '"'), ("“", "”")] if hebrew else [("“", "”"), ('"', '"'), ("‘", "’")]
    )
    if opening == "‘" and re.search("['’]", quote):
        opening, closing = "“", "”"
    marked = f"{opening}{quoted}{closing}"
    if hebrew:
        return style.choice(
            [
                f"לפי {cited}, {marked}.",
                f"כך קובע {cited}: {marked}.",
                f"{marked} ({cited}).",
                f"הלכה היא ש{marked}, כאמור {'' if citation.startswith('שם') else 'ב'}{cited}.",
                f"לשונו של {cited} ברורה:\n\n{marked}",
                f"המשיבה מתעלמת מהכלל שנקבע. {marked} – {cited}.",
            ]
        )
    return style.choice(
        [
            f"By {cited}, {marked}.",
            f"{cited[:1]}{cited[1].upper()}{cited[2:]} provides that {marked}.",
            f"{marked} ({cited}).",
            f"The rule is plain: {marked}, see {cited}.",
            f"The court is referred to {cited}, which reads:\n\n{marked}",
            f"It is settled that {marked}: {cited}.",
            f"The point was made under {cited}. {marked} Nothing more is needed.",
        ]
    )


def altered(quote: str, *, style: random.Random) -> str:
    """A quotation that leaves out or alters what quotations may."""
    words = quote.split()
    if len(words) >= 14 and style.random() < 0.5:
        cut = style.randrange(5, len(words) - 6)
        if any(sign in word for word in words[cut : cut + 3] for sign in "()"):  # no half of a bracket is left
            return quote
        return " ".join([*words[:cut], style.choice(["…", "...", "[…]", "[...]"]), *words[cut + 2 :]])
    if quote[:1].isascii() and quote[:1].isalpha() and quote[1:2].isalpha():
        first = quote[0].lower() if quote[0].isupper() else quote[0].upper()
        return f"[{first}]{quote[1:]}"
    return quote

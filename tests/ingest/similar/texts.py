"""Two laws of our own, in Hebrew and in English, and what converters make of them."""

import textwrap
from pathlib import Path

import docx

from tests.extraction.pdf.making import english_pdf, hebrew_pdf

HEBREW = """חוק גינות הקהילה (עיבוד והשאלת כלים), התשפ"ו–2026
1. הגדרות
בחוק זה, "גינה קהילתית" – שטח ציבורי שתושבים מעבדים יחד לפי הסכם עם הרשות המקומית;
"רכז" – מי שמונה לפי סעיף 3 לנהל גינה קהילתית.
2. הקצאת שטח
רשות מקומית תקצה לבקשת עשרים תושבים לפחות שטח פנוי שאינו מיועד לבנייה בחמש השנים הקרובות, ותפרסם את ההקצאה באתר שלה.
3. רכז הגינה
(א) התושבים יבחרו רכז מקרבם לתקופה של שנתיים.
(ב) הרכז ינהל יומן השקיה, יחלק את הערוגות וידווח לרשות אחת לשנה על מצב הקרקע.
4. השאלת כלים
הרכז רשאי להשאיל כלי עבודה לתושב לשבעה ימים, ומי שאיחר בהחזרה ישלם לקופת הגינה עשרה שקלים לכל יום של איחור.
5. ביטול הקצאה
הרשות רשאית לבטל הקצאה לאחר שנתנה לתושבים הזדמנות להשמיע את דברם והתראה של תשעים ימים.
"""
ENGLISH = """Rooftop Beehives Act 2026
1. Definitions
In this Act, "hive" means a box in which a colony of honey bees is kept, and "keeper" means the person
named in a permit.
2. Permit to keep hives
No person may keep more than four hives on the roof of a building without a permit of the district inspector, who shall
decide within thirty days and state the reasons of a refusal in writing.
3. Duties of the keeper
(a) The keeper shall provide water within ten metres of every hive from April to October.
(b) The keeper shall enter every swarm, every treatment and every loss of a colony in a register.
4. Inspection
The inspector may open a hive at any reasonable hour after telling the keeper on the day before, and shall leave a copy
of the findings on the spot.
5. Fees
The fee for a permit is eighteen crowns a year for each hive, and half of that for a school or an allotment society.
"""


def write(directory: Path, text: str, suffix: str) -> Path:
    """The text as a file of a format, the way that programs for offices write it."""
    path, lines = directory / f"law.{suffix}", text.splitlines()
    if suffix == "docx":
        document = docx.Document()
        document.sections[0].header.paragraphs[0].text = "Official copy"
        for line in lines:
            document.add_paragraph(line)
        document.save(str(path))
    elif suffix == "pdf":
        (hebrew_pdf if "א" in text else english_pdf)(path, lines[:4], lines[4:])
    elif suffix == "html":
        path.write_text("<html><body>" + "".join(f"<p>{line}</p>" for line in lines) + "</body></html>", "utf-8")
    else:
        path.write_text(_wrapped(lines), "utf-8")
    return path


def _wrapped(lines: list[str]) -> str:
    """Short lines under a page head, words cut at their ends, the languages' own quotes and dashes."""
    wrapped = [part for line in lines for part in textwrap.wrap(line, 60)]
    wrapped[9:9] = ["- 2 -", "Copy for the file"]
    text = "\n".join(wrapped).replace("–", "-").replace('התשפ"ו', "התשפ״ו").replace("קהילתית", "קְהִלָּתִית", 1)
    return text.replace("district", "dis-\ntrict", 1)

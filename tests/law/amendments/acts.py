"""Acts that are written for the tests, and what becomes of one."""

import datetime as dt

from law.amendments.consolidating import ConsolidatedAct, consolidate
from law.amendments.finding import Failure

DAY = dt.date(2026, 1, 1)
HEAD = "Harbours Reform Act\nS.C. 2025, c. 7\nAssented to 2025-03-04\n"

PORTS = """\
Ports Act 2010
Preliminary
1. Short title
This Act may be cited as the Ports Act 2010.
2. Definitions
In this Act,
berth means a place at which a ship is moored;
harbour means a harbour that is named in an order; (port)
master includes a deputy of the master;
ship means a vessel that
(a) is longer than ten metres, or
(b) carries passengers,
but does not include a raft.
Licences
3. Licence
(1) No person shall moor a ship without a licence.
[Term]
(2) A licence is valid for 30 days.
(3) The registrar may refuse a licence if
(a) the ship is not insured; or
(b) a fee is owed.
4. Fees
A fee is paid to a registrar within 30 days.
Offences
5. Penalty
A person who contravenes section 3 is liable to a fine.
6.
[Repealed, 2015, c. 4, s. 2]
7. Inspection
(1) An inspector may board a ship.
"""

GARDENS = """\
חוק הגינות הקהילתיות, התש"ף–2020
1. הגדרות
בחוק זה –
"גינה" – שטח ציבורי שהוקצה לגידול צמחים;
"ועד" – ועד הגינה שנבחר לפי סעיף 4;
"השר" – שר הפנים.
2. הקצאת שטח
(א) רשות מקומית תקצה שטח לגינה בתוך 30 ימים מיום הבקשה.
(ב) ההקצאה תהיה לתקופה שלא תעלה על שלוש שנים.
(ג) על החלטה לפי סעיף זה ניתן לערור בתוך 15 ימים.
3. דמי שימוש
השימוש בגינה יהיה בלא תשלום.
4. ועד הגינה
(א) לכל גינה ייבחר ועד שבו –
(1) יושב ראש;
(2) שני חברים;
(3) נציג הרשות המקומית.
(ב) הוועד ייבחר לשנה.
5. עונשין
המפר הוראה לפי חוק זה, דינו – קנס.
6. ביצוע
השר ממונה על ביצוע חוק זה.
"""


def ports(*instructions: str, on: dt.date = DAY, days: dict[str, dt.date] | None = None) -> ConsolidatedAct:
    """The Ports Act after an amending act with these lines; each begins a section unless it goes on with the last."""
    amending = HEAD + "\n".join(instructions)
    return consolidate(text=PORTS.strip(), titles=["Ports Act 2010"], amending=amending, on=on, days=days)


def section(act: ConsolidatedAct, number: str) -> list[str]:
    """The lines of a section up to the next number."""
    lines = act.text.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith(f"{number}."))
    end = next((at for at in range(start + 1, len(lines)) if lines[at][:1].isdigit()), len(lines))
    return lines[start:end]


def failure(act: ConsolidatedAct) -> Failure | None:
    [outcome] = act.outcomes
    return outcome.failure

"""Acts that are written for the tests."""

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

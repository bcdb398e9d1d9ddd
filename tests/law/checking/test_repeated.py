"""Citations that are no more than `Ibid.`"""

from law.checking.judgments import with_repeated
from law.references.mentions import Citation, read_references


def repeated(text: str) -> list[Citation]:
    mentions = read_references(text, (), title="", kind="")
    return [one for one in with_repeated(text, mentions) if one not in mentions]


def test_what_was_cited_last_is_cited_again() -> None:
    text = "Section 5(2) of the Ports Act 1998 applies. The fee is due. Ibid."
    (one,) = repeated(text)
    assert (text[one.start : one.end], one.title, one.number, one.clauses) == ("Ibid.", "Ports Act 1998", "5", ("2",))


def test_a_note_repeats_the_notes_before_it() -> None:
    text = (
        "The fee is due.¹ It is small.² Section 9 of the Piers Act 1999 is new.\n"
        "¹ Section 5 of the Ports Act 1998.\n² Ibid.\n"
    )
    (one,) = repeated(text)
    assert (one.title, one.number) == ("Ports Act 1998", "5")


def test_a_first_note_repeats_the_text_up_to_its_sign() -> None:
    text = 'סעיף 5 לחוק הנמלים, התשנ"ח–1998, קובע אגרה.¹ סעיף 9 לחוק הרציפים, התשנ"ט–1999, חדש.\n¹ שם.\n'
    (one,) = repeated(text)
    assert (one.title, one.number) == ('חוק הנמלים, התשנ"ח–1998', "5")


def test_which_of_several_is_meant_is_not_known() -> None:
    (one,) = repeated("See section 5 of the Ports Act 1998 and section 9 of the Piers Act 1999. Ibid.")
    assert (one.title, one.number, one.unread) == ("", "", "Ibid.")


def test_an_act_and_its_section_are_one() -> None:
    (one,) = repeated("The Ports Act 1998: section 5 of the Ports Act 1998 applies (ibid).")
    assert (one.title, one.number) == ("Ports Act 1998", "5")


def test_a_section_behind_it_is_no_repetition() -> None:
    assert repeated("Section 5 of the Ports Act 1998 applies. Ibid, section 9. Nothing is ibid here.") == []
    assert repeated("Ibid.") == []

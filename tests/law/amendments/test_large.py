"""A long act with many instructions."""

from law.amendments.consolidating import consolidate
from tests.law.amendments.acts import DAY, HEAD

SECTIONS, INSTRUCTIONS = 1_000, 200


def test_each_of_many_instructions_changes_its_section_and_no_other() -> None:
    acts = [
        f"{n}. Rule {n}\n(1) A fee of {n} pounds is paid.\n(2) It is paid in 30 days." for n in range(1, SECTIONS + 1)
    ]
    changed = {5 * n for n in range(1, INSTRUCTIONS + 1)}
    amending = HEAD + "\n".join(
        f"{n}.\nSubsection {section}(2) of the Ports Act 2010 is amended by replacing “30 days” with “45 days”."
        for n, section in enumerate(sorted(changed), 1)
    )
    made = consolidate(text="\n".join(["Ports Act 2010", *acts]), titles=["Ports Act 2010"], amending=amending, on=DAY)
    assert [one.failure for one in made.outcomes] == [None] * INSTRUCTIONS
    assert made.text.split("\n")[1:] == [
        line
        for n, act in enumerate(acts, 1)
        for line in (act.replace("30 days", "45 days") if n in changed else act).split("\n")
    ]

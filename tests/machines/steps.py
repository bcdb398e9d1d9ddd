"""How many steps a state machine takes: few in the run of every day, `KB_FUZZ_STEPS` in a long one."""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

GIVEN = int(os.environ.get("KB_FUZZ_STEPS", "0"))
AT_ONCE = 20  # steps from one beginning: each leaves some of the rules out, so that many short ones see more

long_enough = pytest.mark.timeout(10_800 if GIVEN else 300)


def drive(machine: type[RuleBasedStateMachine], *, usually: int) -> None:
    """Take `usually` steps, always the same ones; or the number that is asked for, each time others."""
    steps = GIVEN or usually
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=max(1, steps // AT_ONCE),
            stateful_step_count=min(AT_ONCE, steps),
            deadline=None,
            database=None,
            derandomize=not GIVEN,
            phases=(Phase.generate, Phase.shrink) if GIVEN else (Phase.generate,),
            suppress_health_check=list(HealthCheck),
            print_blob=False,
        ),
    )

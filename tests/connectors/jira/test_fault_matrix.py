"""Whatever a Jira site does wrong at whatever request, in whatever kind of sync: no ticket is lost and the words are true.

The table and what a case does are in bench/jira_faults.py. Here a part of it runs in which every request, every fault
and every kind of sync is met; all of it runs with `python -m bench jira --faults`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench.jira_faults import FAULTS, MODES, PERSONALITIES, REQUESTS, Case, FaultBench, all_cases, opened, some_cases


@pytest.fixture(scope="module")
def benches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, FaultBench]]:
    with opened("cloud", tmp_path_factory.mktemp("cloud")) as cloud, opened("dc", tmp_path_factory.mktemp("dc")) as server:
        yield {"cloud": cloud, "dc": server}


@pytest.mark.parametrize("case", [case for personality in PERSONALITIES for case in some_cases(personality)], ids=str)
def test_a_fault_loses_no_ticket_and_is_told_in_true_words(benches: dict[str, FaultBench], case: Case) -> None:
    assert benches[case.personality].run(case) == []


@pytest.mark.parametrize("personality", PERSONALITIES)
def test_after_all_those_faults_every_document_is_what_a_fresh_look_gives(
    benches: dict[str, FaultBench], personality: str
) -> None:
    assert benches[personality].differing() == []


def test_the_part_that_runs_here_has_each_request_each_fault_and_each_kind_of_sync() -> None:
    for personality in PERSONALITIES:
        cases = some_cases(personality)
        assert {case.request for case in cases} == {name for name, where in REQUESTS.items() if personality in where}
        assert {case.fault for case in cases} == set(FAULTS) and {case.mode for case in cases} == set(MODES)
        assert (
            len({(case.request, case.mode) for case in cases}) == len({(case.fault, case.mode) for case in cases}) == len(cases)
        )
    assert len(all_cases()) == sum(len(where) for where in REQUESTS.values()) * len(FAULTS) * len(MODES)

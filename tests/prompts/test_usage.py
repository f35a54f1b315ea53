"""What is noted for the person who asked: each sentence, and each reason why no model decided, once."""

from __future__ import annotations

from prompts.usage import WITHOUT, Usage

WHY = "The budget is spent."


def test_an_answer_of_which_no_model_decided_anything_says_so_once() -> None:
    usage = Usage()
    for _ in range(3):
        for decision in ("choose", "answer", "compose"):
            usage.count_without_model(decision, WHY)
    usage.note("second was asked instead.")
    assert usage.notes == [f"{WHY} This was answered without the model.", "second was asked instead."]
    assert usage.without_model == {"choose": 3, "answer": 3, "compose": 3}


def test_each_decision_is_named_once_with_its_reason() -> None:
    usage = Usage()
    for why, decision in ((WHY, "answer"), (WHY, "answer"), (WHY, "rewrite"), ("It is slow.", "answer")):
        usage.count_without_model(decision, why)
    assert usage.notes == [f"{WHY} {WITHOUT['answer']} {WITHOUT['rewrite']}", f"It is slow. {WITHOUT['answer']}"]

"""The part of a long passage that a model is shown: of running text the sentences that speak to a question, and all else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from prompts.language import BlockKind, sentences_by_kind, terms_by_sentence

LONG = 1_250  # characters from which on running text is shown in part; of 140 gold sentences 129 stay, at half the text
BESIDE = 0.25  # of what a sentence says to the question counts for the ones before and after it: "he" and "it" stand there
LEFT_OUT = " …"  # in place of what is not shown


def excerpt(text: str, weights: Mapping[str, float], room: int = LONG) -> str:
    """A text of at most `room` characters whole; of a longer one the sentences that say most to the terms in `weights`.

    Only sentences of running text are left out. Headings, items of a list, rows and code stay, however long they are, with
    the sentence that leads to them, and so does the first sentence: a step without the others says something else.
    """
    if len(text) <= room:
        return text
    sentences = sentences_by_kind(text)
    sizes = [end - start for start, end, _ in sentences]
    kept = set(_needed(sentences))
    left = max(room - sum(sizes[at] for at in kept), room // 2)
    worth = _worth(text, weights)
    for at in sorted(range(len(sentences)), key=lambda at: -worth[at]):
        if at not in kept and sizes[at] <= left:
            kept.add(at)
            left -= sizes[at]
    return "".join(_pieces(text, sentences, kept))


def _needed(sentences: Sequence[tuple[int, int, BlockKind]]) -> Iterator[int]:
    """The first sentence, what is no running text, and the sentence that leads to it."""
    for at, (_, _, kind) in enumerate(sentences):
        follows = sentences[at + 1][2] if at + 1 < len(sentences) else kind
        if at == 0 or kind != "text" or follows not in ("text", "heading"):
            yield at


def _worth(text: str, weights: Mapping[str, float]) -> list[float]:
    """What each sentence says to the question, with a share of what stands beside it."""
    said = [sum(weights.get(term, 0.0) for term in set(found)) for found in terms_by_sentence(text)]
    around = zip([0.0, *said], said, [*said[1:], 0.0], strict=False)
    return [here + BESIDE * (before + after) for before, here, after in around]


def _pieces(text: str, sentences: Sequence[tuple[int, int, BlockKind]], kept: set[int]) -> Iterator[str]:
    """What is kept as it stands, with the white space and the marks around it, and one sign for each gap."""
    before, is_gap = 0, False
    for at, (start, end, _) in enumerate(sentences):
        if at in kept:
            yield text[before:end] if not is_gap or text[before].isspace() else f" {text[before:end]}"
        elif not is_gap:
            yield f"{text[before:start].rstrip()}{LEFT_OUT}"  # the fence behind code stays with it
        before, is_gap = end, at not in kept
    yield text[before:].rstrip() if is_gap else text[before:]

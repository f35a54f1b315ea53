"""The part of a long passage that a model is shown: the sentences that speak to a question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from prompts.sentences import BlockKind, sentences_by_kind, terms_by_sentence

LONG = 1_250  # characters from which on running text is shown in part; of 140 gold sentences 129 stay, at half the text
BESIDE = 0.25  # of what a sentence says to the question counts for the ones before and after it: "he" and "it" stand there
LEFT_OUT = " …"  # in place of what is not shown


def excerpt(text: str, weights: Mapping[str, float], room: int = LONG) -> str:
    """A text of at most `room` characters whole; of a longer one the sentences that say most to the terms in `weights`,
    with its headings and its first sentence.

    Only running text is cut: one with a list, a table or code stays whole, for a step without the others, or without
    what is said around it, is another one.
    """
    if len(text) <= room:
        return text
    sentences = sentences_by_kind(text)
    if any(kind not in ("text", "heading") for _, _, kind in sentences):
        return text
    sizes = [end - start for start, end, _ in sentences]
    kept = {at for at, (_, _, kind) in enumerate(sentences) if at == 0 or kind == "heading"}
    left = room - sum(sizes[at] for at in kept)
    worth = _worth(text, weights)
    for at in sorted(range(len(sentences)), key=lambda at: -worth[at]):
        if at not in kept and sizes[at] <= left:
            kept.add(at)
            left -= sizes[at]
    return "".join(_pieces(text, sentences, kept))


def _worth(text: str, weights: Mapping[str, float]) -> list[float]:
    """What each sentence says to the question, with a share of what stands beside it."""
    said = [sum(weights.get(term, 0.0) for term in set(found)) for found in terms_by_sentence(text)]
    around = zip([0.0, *said], said, [*said[1:], 0.0], strict=False)
    return [here + BESIDE * (before + after) for before, here, after in around]


def _pieces(text: str, sentences: Sequence[tuple[int, int, BlockKind]], kept: set[int]) -> Iterator[str]:
    """What is kept as it stands, with the white space and the marks around it, and one sign for each gap."""
    before, is_gap = 0, False
    for at, (_, end, _) in enumerate(sentences):
        if at in kept:
            yield text[before:end] if not is_gap or text[before].isspace() else f" {text[before:end]}"
        elif not is_gap:
            yield LEFT_OUT
        before, is_gap = end, at not in kept
    yield text[before:].rstrip() if is_gap else text[before:]

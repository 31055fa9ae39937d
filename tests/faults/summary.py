"""What a run says in the end."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.faults.driver import Run


def summary(run: Run) -> str:
    """The counts of a run, and what was found."""
    verdict, answers = run.verdict, run.told.answers
    late = sorted(verdict.lateness)
    spread = f"median {median(late):.1f} s, longest {late[-1]:.1f} s" if late else "none"
    lines = [
        f"seed                 {run.seed}",
        f"seconds              {run.seconds:.0f}",
        f"tables               {verdict.tables} with {verdict.versions} versions; {run.expired} expired",
        f"moves acknowledged   {run.told.moves_acknowledged}",
        f"answers              {_listed(answers)}",
        f"503 (try again)      {answers['503']}",
        f"deadlines fired      {verdict.fired}; after their time, without what faults took: {spread}",
        f"faults               {sum(run.faults.values())}; moves went on again after at most",
        *(
            f"  {name:<36}{times:>4}{run.recoveries[name]:>8.1f} s"
            for name, times in sorted(run.faults.items())
        ),
        *(f"{words:<20} {_count(run, kind)}" for kind, words in KINDS.items()),
    ]
    return "\n".join([*lines, *(f"FOUND {finding}" for finding in run.findings[:50])])


KINDS = {
    "lost": "lost",
    "doubled": "doubled",
    "early": "early",
    "late": "late",
    "never": "never fired",
    "leaked": "leaked",
    "back": "versions back",
    "illegal": "illegal",
    "order": "out of order",
    "answer": "wrong answers",
}


def _count(run: Run, kind: str) -> int:
    return sum(1 for finding in run.findings if finding.kind == kind)


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in sorted(counts.items()))

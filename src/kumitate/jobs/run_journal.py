"""What the crew of a run has found since the last checkpoint, and how far that brings the run."""

from collections.abc import Callable

from kumitate import store
from kumitate.search.assemble import Progress
from kumitate.store import Batch, Recorder

MOST_PENDING = 16_000_000  # bytes of assemblies between two checkpoints
EXAMINED = 500  # bytes of an assembly with its disassembly, about

Tell = Callable[[Progress], None]


def size_of(batch: Batch) -> int:
    """About how many bytes it takes."""
    return len(batch.packed.names) + EXAMINED * len(batch.found)


class RunJournal:
    """Batches for a run's file."""

    def __init__(self, recorder: Recorder, progress: Tell | None) -> None:
        self.recorder = recorder
        self.progress = progress
        self.pending: list[Batch] = []
        self.size = 0
        self.assemblies = recorder.at.assemblies
        self.nodes = recorder.at.nodes
        self.room = recorder.at.stop_after
        self.tasks = dict(recorder.tasks)
        if self.room is not None:
            counts_apart = recorder.run.options.disassemble
            self.room -= recorder.at.solutions if counts_apart else recorder.at.assemblies

    def note(self, batch: Batch) -> None:
        self.pending.append(batch)
        self.size += size_of(batch)
        endings = [found.ending for found in batch.found]
        fresh = batch.packed.rows + len(endings) - endings.count("same")
        self.assemblies += fresh
        if self.room is not None:
            apart = self.recorder.run.options.disassemble
            self.room -= endings.count("apart") if apart else fresh
        self.nodes += batch.counts[0]
        self.tasks.update((task.id, task) for task in batch.left)
        if batch.done:
            del self.tasks[batch.after.id]

    def is_due(self) -> bool:
        return self.size > MOST_PENDING or (self.room is not None and self.room <= 0)

    def commit(self, seconds: float, *, ended: bool) -> bool:
        self.recorder.commit(self.pending, seconds, "paused" if ended else "running")
        self.pending, self.size = [], 0
        return self.recorder.at_limit

    def report_progress(self) -> None:
        if self.progress is not None and self.tasks:
            done = store.fraction_done(self.recorder.at.fraction, self.tasks.values())
            self.recorder.at.fraction = done  # so that the file never says less
            self.progress(Progress(self.assemblies, self.nodes, done))

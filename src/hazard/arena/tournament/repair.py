"""Damaged batches, played again: a batch is deterministic and its checksum is known, so it comes out as it was or not
at all."""

from __future__ import annotations

from pathlib import Path

from hazard.arena.tournament.run import Progress, apart, expelling, prepare, ready, settle_reads
from hazard.arena.tournament.runner import played, workers
from hazard.arena.tournament.schedule import Batch, Work
from hazard.arena.tournament.setting import Setting
from hazard.arena.tournament.store import Store, opened
from hazard.errors import BadInput


def repair(
    folder: Path, setting: Setting, processes: int = 1, cluster: str | None = None, progress: Progress | None = None
) -> list[str]:
    """Put right what is damaged; the lines that are returned say what was wrong.

    Batches in which programs play may come out otherwise. They are left as they are, and refused once all others are
    put right.
    """
    game = ready(setting, processes)
    with opened(folder, setting, damaged_too=True) as store:
        damaged = store.damaged()
        if not damaged:
            return []
        prepare(game, store.setting)
        settle_reads(store, game)
        entries = {entry.batch: entry for entry, _ in damaged}
        work, failed = [Work(batch, None, batch) for batch in entries], []
        told = apart(store.setting, store.folder)
        with workers(min(processes, len(work)), cluster) as crew:
            again = played(told, work, crew, expelling(store))
            for done, (task, found) in enumerate(again, 1):
                if store.matches(entries[task.batch], found.files):
                    store.write(task.batch, found.files)
                else:
                    failed.append(task.batch)
                if progress:
                    progress(done, len(work))
        if failed:
            raise BadInput(_left(store, failed, len(damaged)))
        return [why for _, why in damaged]


def _left(store: Store, failed: list[Batch], damaged: int) -> str:
    bots = all(store.setting.has_bot(batch.line_up) for batch in failed)
    why = "programs play in it, and played otherwise this time" if bots else "its games came out otherwise this time"
    return (
        f"{store.path('games', failed[0])}: cannot be repaired, for {why}; {damaged - len(failed)} of {damaged} "
        "damaged batches are repaired. Put the file back from a copy, or play the tournament again in another folder"
    )

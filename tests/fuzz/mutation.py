"""What mutants of every kind of file have in common."""

import random
from collections.abc import Callable, Sequence

Damage = Callable[[random.Random, bytes], bytes]
Monster = Callable[[random.Random], bytes]


def mutant(
    chance: random.Random,
    papers: Sequence[bytes],
    damages: Sequence[Damage],
    monsters: Sequence[Monster],
    monster_share: float,
) -> tuple[str, bytes]:
    """What was done, and the file: a monster now and then, else a paper with one to three kinds of damage."""
    if chance.random() < monster_share:
        monster = chance.choice(monsters)
        return monster.__name__, monster(chance)
    data = chance.choice(papers)
    names = []
    for _ in range(chance.choice((1, 1, 2, 3))):
        damage = chance.choice(damages)
        names.append(damage.__name__)
        data = damage(chance, data)
    return "+".join(names), data

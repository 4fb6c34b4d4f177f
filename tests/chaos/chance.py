"""Which faults come when: chosen by CHAOS_SEED, for at least CHAOS_SECONDS."""

import os
import random

SEED = int(os.environ.get("CHAOS_SEED") or random.SystemRandom().randrange(1_000_000))
SECONDS = float(os.environ.get("CHAOS_SECONDS") or 10)


def to_repeat(test: str) -> str:
    return f"repeat: CHAOS_SEED={SEED} CHAOS_SECONDS={SECONDS:g} pytest '{test}'"

"""A process by a name that others can look up later, and that nobody after it has."""

import os
import socket

import psutil

# The system's clock may be set meanwhile, and with it the time a process is said to have begun.
CLOCK_SHIFT_SECONDS = 5


def myself() -> str:
    return f"{socket.gethostname()} {os.getpid()} {int(psutil.Process().create_time())}"


def is_alive(name: str) -> bool | None:
    """Whether the process still runs; None if that cannot be told from here."""
    machine, _, process = name.partition(" ")
    number, _, began = process.partition(" ")
    if machine != socket.gethostname() or not (number.isdecimal() and began.isdecimal()):
        return None
    try:
        found = psutil.Process(int(number))
        same = abs(found.create_time() - int(began)) <= CLOCK_SHIFT_SECONDS
        return same and found.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False

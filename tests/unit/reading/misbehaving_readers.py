"""Readers that do what a C library may do to its process; for the tests of isolation."""

import ctypes
import os
import signal
import time

from aimsciqa_assets.reading.paper import RejectedFileError


def misbehave(data: bytes, *, file_id: str) -> list[object]:
    """Does what the file says; otherwise returns the file and the process it was read in."""
    match data.split():
        case [b"segfault"]:
            ctypes.string_at(0)
        case [b"abort"]:
            os.abort()
        case [b"exit"]:
            os._exit(3)
        case [b"starve"]:
            os._exit(127)  # as glibc does
        case [b"be killed"] | [b"killed"]:
            os.kill(os.getpid(), signal.SIGKILL)
        case [b"compute"]:
            sum(iter(int, 1))
        case [b"sleep"]:
            time.sleep(600)
        case [b"fill"]:
            bytearray(2**31)
        case [b"raise"]:
            raise KeyError("nothing of the kind")
        case [b"reject"]:
            raise RejectedFileError("no_text", "neither title nor text")
        case [b"print"]:
            os.write(1, b"a library says hello\n")
        case [b"import"]:
            raise ImportError("no library")
        case [b"second"] if os.environ.get("READ_ONE"):
            os.abort()
    os.environ["READ_ONE"] = "1"
    return [data.decode(), os.getpid()]

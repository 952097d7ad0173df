"""The models of EXTRACTOR behind the loopback server: those of the tests, which make no fault.

`python -m benchmarks.synthetic.extractor_server --slots 8 --latency 0.05 0.05`: prints its URL, then, when it
is told to end (SIGTERM), how busy it was as one JSON line.
"""

from benchmarks.synthetic.hop_server import serve
from tests.extractor_model import ScriptedModel

if __name__ == "__main__":
    serve(__doc__, ScriptedModel())

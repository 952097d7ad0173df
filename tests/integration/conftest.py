"""What the tests of the command line share."""

import pytest

from tests.tiny_encoder import write_tiny_encoder


@pytest.fixture(scope="session")
def tiny_encoder(made_once) -> dict[str, str]:
    """Settings of a shell whose encoder takes next to no time; the demo has the real one."""
    return {"encoder_model": str(made_once("encoder", write_tiny_encoder) / "model")}

"""Loads an export of trajectories as a trainer would, with Hugging Face's `datasets`, and prints its rows."""

import sys
from tempfile import TemporaryDirectory

from datasets import disable_progress_bars, load_dataset


def main(folder: str) -> None:
    """Print how many samples both files of the export in `folder` have, and what a sample has."""
    disable_progress_bars()
    with TemporaryDirectory() as cache:
        for name in ("sharegpt", "tool_calls"):
            samples = load_dataset(folder, name, split="train", cache_dir=cache)
            print(f"{name}: {samples.num_rows} rows of {', '.join(samples.column_names)}")


if __name__ == "__main__":
    main(sys.argv[1])

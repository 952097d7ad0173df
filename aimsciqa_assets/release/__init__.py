"""The release: which items may be passed on, the dataset in the forms that others load, and the report."""

import os

# Arrow's own memory pools keep about 90 MB of what a release no longer needs.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")

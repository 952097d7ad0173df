"""About the pipeline itself: what was rejected and why."""

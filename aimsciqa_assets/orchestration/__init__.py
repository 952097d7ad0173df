"""What Dagster adds to the steps: assets, partitions, automation, and what the web UI shows."""

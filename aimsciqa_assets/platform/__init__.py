"""Steps of the method: declared, due or not, computed, written atomically, accounted for. No Dagster."""

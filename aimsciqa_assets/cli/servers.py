"""`aimsciqa servers`: the servers of all models, and what each tells of its queue and caches."""

from aimsciqa_assets.cli.config import ConfigOption
from aimsciqa_assets.cli.terminal import console


def servers_command(*, config: ConfigOption = None) -> None:
    """Show the queue and the caches of each vLLM server that the settings name."""
    from aimsciqa_resources.language_model.server_metrics import ServerMetrics, metrics_of
    from aimsciqa_resources.language_model.settings import server_name

    from aimsciqa_assets.settings import Settings

    models = [model for model in Settings.of_environment().models.values() if model.backend == "server"]
    named = dict.fromkeys((model.name, address) for model in models for address in model.base_urls)
    if not named:
        console.print("No model is on a server: the settings name none (AIMSCIQA_MODEL_BASE_URL).")
        return
    told = metrics_of(address for _, address in named)
    for name, address in named:
        found = told[address]
        shown = f": {found.shown}" if isinstance(found, ServerMetrics) else f" {found}"
        console.print(
            f"{name} at {server_name(address)}{shown}", highlight=False, soft_wrap=True, markup=False
        )

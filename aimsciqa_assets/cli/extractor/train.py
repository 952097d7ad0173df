"""`aimsciqa extractor train`: a model fine-tuned on an export."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.markup import escape

from aimsciqa_assets.cli.terminal import console, errors


def train_command(
    folder: Annotated[
        Path,
        typer.Argument(exists=True, file_okay=False, help="what `aimsciqa extractor export` wrote"),
    ],
    *,
    model: Annotated[str, typer.Option(help="the model: a folder, or a name on the Hugging Face hub")],
    out: Annotated[
        Path, typer.Option(help="a folder for the adapter; a training that was killed in it goes on")
    ],
    messages: Annotated[
        Literal["text", "tool_calls"],
        typer.Option(help="text: as airqa's agents send them; tool_calls: with actions as tool calls"),
    ] = "text",
    epochs: Annotated[float, typer.Option(min=0.01, help="how often each sample is learnt")] = 1.0,
    learning_rate: Annotated[float, typer.Option(min=0.0, help="of AdamW, at its highest")] = 1e-4,
    cutoff: Annotated[
        int, typer.Option(min=1, help="tokens of a sample; a longer one loses its oldest turns")
    ] = 4096,
    batch: Annotated[int, typer.Option(min=1, help="samples that are computed at once")] = 1,
    accumulation: Annotated[int, typer.Option(min=1, help="such batches in a step")] = 16,
    seed: Annotated[int, typer.Option(min=0, help="of the order of samples, and of dropout")] = 42,
) -> None:
    """Fine-tune a model on an export, by TRL and PEFT (LoRA): the adapter is for vLLM and transformers.

    As it stands, with the paper's numbers. Needs the extra train, and for a model of some size a GPU.
    """
    from aimsciqa_assets.airqa.extractor.fitting import ExportError
    from aimsciqa_assets.airqa.extractor.recipe import PAPER
    from aimsciqa_assets.airqa.extractor.training import FolderTakenError, TrainingUnavailableError, train

    recipe = replace(
        PAPER,
        epochs=epochs,
        learning_rate=learning_rate,
        cutoff=cutoff,
        batch=batch,
        accumulation=accumulation,
        seed=seed,
    )
    try:
        trained = train(folder, model, out, recipe, messages)
    except (ExportError, FolderTakenError, TrainingUnavailableError, OSError) as error:
        errors.print(escape(str(error)), highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None
    losses = trained.losses
    told = f"{trained.samples:,} samples, {len(losses):,} steps"
    if losses:
        told += f", loss {losses[0]:.3f} at first and {losses[-1]:.3f} at last"
    console.print(f"{told}: {escape(str(out))}", highlight=False, soft_wrap=True)
    if trained.shortened:
        console.print(f"{trained.shortened:,} samples lost turns: they are longer than {cutoff:,} tokens.")
    if trained.too_long:
        errors.print(
            f"{trained.too_long:,} samples were left out: not even one turn fits into {cutoff:,} tokens."
        )

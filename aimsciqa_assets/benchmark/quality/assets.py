"""Quality of the items as assets."""

from aimsciqa_assets.asset_builders import step_asset
from aimsciqa_assets.benchmark.quality.gates import gate_rows
from aimsciqa_assets.frames import Frames, frame_of
from aimsciqa_assets.progress import progress
from aimsciqa_assets.steps import Declaration, Step


@step_asset(
    Declaration(
        writes=("benchmark.gates",),
        reads=("benchmark.queries", "benchmark.judgements", "benchmark.rankings"),
        settings=("benchmark",),
        encodes=True,
    )
)
def gates(step: Step) -> Frames:
    """Puts every evaluated item before four quality gates; the first answerer stands for a reader."""
    queries = step.read("benchmark.queries", columns="item_id, question")
    judgements = step.read(
        "benchmark.judgements", "answerer = $reader", reader=step.settings.answerer_names[0]
    )
    rankings = step.read("benchmark.rankings", "setting = 'cluster'", "item_id, retriever, rank")
    with progress("encoding questions", queries.height) as advance:
        rows = gate_rows(
            queries,
            judgements,
            rankings,
            lambda questions: step.encoder.encode(questions, advance),
            step.settings.benchmark.duplicate_similarity,
        )
    return {"benchmark.gates": frame_of("benchmark.gates", rows)}

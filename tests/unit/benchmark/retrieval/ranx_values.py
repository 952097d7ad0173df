"""The measures of ranx for drawn rankings.

`python -m tests.unit.benchmark.retrieval.ranx_values` writes them into the file beside this one.
ranx compiles each measure when it is first asked for, which takes a minute. So `make test` compares with
stored values, and `make test-nightly` with ranx itself.
"""

import random
from pathlib import Path

CUTOFFS = {"Hit": (1, 3, 5, 50), "MRR": (5, 50), "Recall": (5, 10, 20), "nDCG": (5, 10)}
STORED = Path(__file__).with_name("ranx_values.json")
THEIR_NAMES = {"Hit": "hit_rate", "MRR": "mrr", "Recall": "recall", "nDCG": "ndcg"}


def drawn(count: int) -> tuple[dict[str, list[str]], dict[str, str]]:
    dice = random.Random(7)
    rankings, gold = {}, {}
    for number in range(count):
        papers = [f"PMC{dice.randrange(10**6)}-{place}" for place in range(dice.randint(1, 50))]
        rankings[f"i{number}"] = papers
        gold[f"i{number}"] = dice.choice([*papers, "another"])
    return rankings, gold


def measures_of_ranx(rankings: dict[str, list[str]], gold: dict[str, str]) -> dict[str, list[float]]:
    """Every measure by our name, with a value for each ranking; F1 looks at the first ten papers."""
    from ranx import Qrels, Run, evaluate

    def run_of(first: int | None) -> Run:
        return Run(
            {
                item: {paper: 1000.0 - place for place, paper in enumerate(papers[:first])}
                for item, papers in rankings.items()
            }
        )

    theirs = {f"{name}@{k}": f"{THEIR_NAMES[name]}@{k}" for name, cutoffs in CUTOFFS.items() for k in cutoffs}
    theirs |= {"MAP": "map"}
    qrels = Qrels({item: {paper: 1} for item, paper in gold.items()})
    run, first_ten = run_of(None), run_of(10)
    evaluate(qrels, run, list(theirs.values()))
    evaluate(qrels, first_ten, ["f1"])
    scores = {ours: run.scores[name] for ours, name in theirs.items()}
    scores["Support F1"] = first_ten.scores["f1"]
    return {name: [float(found[item]) for item in rankings] for name, found in scores.items()}


if __name__ == "__main__":
    lines = (
        f'"{name}": [{", ".join(f"{value:.12g}" for value in found)}]'
        for name, found in measures_of_ranx(*drawn(100)).items()
    )
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n")

"""The dataset card: `README.md` of a release, with the front matter that the `datasets` package reads."""

from collections.abc import Iterable, Mapping, Sequence
from string import Template
from typing import Any, Final

from aimsciqa_assets.release.exporting import Export
from aimsciqa_assets.release.layout import CONFIGS, Row
from aimsciqa_assets.release.provenance import Manifest, public

SUMMARY: Final = (
    "Inter-document, multi-hop questions over scientific papers: each is answered by first finding one paper "
    "among others and then combining what it says with the paper in hand. Every item comes with the quotes "
    "that it rests on."
)
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_RETRIEVAL = ("Hit@1", "Hit@3", "MRR@5", "Hit@50", "MRR@50")
_ANSWERING = ("accuracy", "token_f1", "rouge_l", "bert_score", "found_target")
_THRESHOLDS = (
    ("relations", "tau", "questions count as similar from this cosine on"),
    (
        "single_hop",
        "alignment_fraction",
        "share of the pairs with the lowest Sim(Q,A) − Sim(Q,E) that was removed",
    ),
    ("relations", "relations_per_source", "relations kept per source paper and variant"),
    ("relations", "cluster_size", "papers in a cluster, the target included (variant im)"),
    ("selection", "min_accessible_citations", "accessible citations that a source must have"),
    ("multi_hop", "test_items", "test items at most"),
    ("multi_hop", "test_fraction", "share of the items in test at most"),
    ("release", "gates", "quality gates that no released item failed"),
    ("release", "any_licence", "papers of any licence were admitted"),
    ("release", "retracted", "retracted papers were admitted"),
)

_BODY = Template("""\
# $name

$summary

| | rows |
|---|---:|
$rows

```python
from datasets import load_dataset
items = load_dataset("path/to/$name", "multi_hop", split="test")
```

| file | what it holds |
|---|---|
| `data/multi_hop/` | the items, as Parquet and as JSON lines |
| `data/single_hop/` | question-answer-evidence triplets of single papers |
| `data/papers/` | the papers, and the paragraphs that all evidence is quoted from |
| `beir/` | retrieval: the retrieval questions, all papers as documents, the target as the only relevant one |
| `squad/` | both kinds of questions with the paragraphs of their evidence; `answer_start` is -1 where the answer does not stand in the evidence as it is, as most written answers do not; `evidence` always holds exact spans |
| `ATTRIBUTION.csv` | every paper whose text is here, with its licence |
| `PROVENANCE.json` | models, prompts with their text, settings, versions, numbers of rows |
| `croissant.json`, `SHA256SUMS` | metadata; checksums (`sha256sum --check SHA256SUMS`) |

`aimsciqa release verify` checks all of it from these files alone.

## An item

`question` and `answer` are the item. `find_target_paper` is its first step, a question that one paper of `cluster` answers; `inter_document_qa` its second, about `source` and `target` together. `core_qa` and `retrieval_qa` are the single-hop pairs that it was composed from: `evidence` equals the text of paragraph `paragraph_id` from `evidence_start` to `evidence_end`, in characters. `variant` is `im` where source and target are similar and `cim` where the source cites the target; `citations` then are the sentences that do, and `cluster` are the papers that the source cites. The source is never in the cluster.

Papers in clusters that may not be released are named by ids and title, without text; in `beir/corpus.jsonl` their text is empty.

## Splits

All items of a source paper are in one split. Besides, no dev item shares with a test item, of either variant, the source, both papers or a sentence of evidence; accepted items that did were left out (`leaks_into_test`). Single-hop pairs whose evidence overlaps that of a test item are in test. A dev and a test item may have the same target, by other evidence.

## How it was made

The AIM-SciQA method: a language model writes single-hop triplets about each paragraph, of which those with an exact quote are kept; papers are related by similar questions (`im`) or by citing sentences (`cim`); the model composes an item of each relation and judges it in four respects. The prompts are in `PROVENANCE.json`.

$models

| setting | value | meaning |
|---|---|---|
$thresholds

## Figures

Words on average, of the items released (Table 3 of the AIM-SciQA paper):

$lengths

Single-hop pairs of the whole corpus, released or not (Table 2 of the paper):

$statistics

### Retrieval

$retrieval

### Answering

$answering

### What was rejected

On the way, for the whole corpus:

$rejections

Accepted, but not in this release; papers that may not be released:

$left_out

## Licences and attribution

Text of a paper stands here under that paper's own licence (`licence` of each paper and item, `ATTRIBUTION.csv`). Paragraphs were extracted from the articles; questions and answers were written about them by the models above. Whoever uses an item follows the licences of its source and its target: attribution for CC BY, no commercial use for NC, the same licence for SA.

$licences

## Known limits

- Questions, answers and verdicts were written by models, not by people. An exact quote shows where an answer comes from, not that it is right.$extractive
- The items ask about relations that the method finds: similar questions and citing sentences. They are no sample of what readers ask.
- The titles of targets occur in the answers. Whoever trains on dev sees titles that may be targets in test.
- Papers without a licence that allows it are left out, and what is found in them is not asked about.
- A paper may have been corrected or retracted since it was read.
""")


def front_matter(manifest: Manifest) -> str:
    """The YAML head of the card: what `load_dataset` can load, and how many rows it must find."""
    rows = manifest["rows"]
    total = sum(rows["multi_hop"].values())
    category = next((name for limit, name in _SIZES if total < limit), "1M<n<10M")
    lines = [
        "---",
        f"pretty_name: {manifest['name']}",
        "language: [en]",
        "license: other",
        "license_name: licence-of-each-paper",
        "license_link: ATTRIBUTION.csv",
        "task_categories: [question-answering, text-retrieval]",
        f"size_categories: ['{category}']",
        "tags: [multi-hop, scientific-papers, aim-sciqa, croissant]",
        "configs:",
    ]
    for config, (_, paths) in CONFIGS.items():
        lines += [f"- config_name: {config}", *(["  default: true"] if config == "multi_hop" else [])]
        lines.append("  data_files:")
        for split, path in paths.items():
            lines += [f"  - split: {split}", f"    path: {path}"]
    lines.append("dataset_info:")
    for config, splits in rows.items():
        lines += [f"- config_name: {config}", "  splits:"]
        for split, count in splits.items():
            size = manifest["bytes"][config][split]
            lines += [f"  - name: {split}", f"    num_bytes: {size}", f"    num_examples: {count}"]
    return "\n".join([*lines, "---", ""])


def card(manifest: Manifest, export: Export, lengths: Sequence[Row]) -> str:
    """`README.md`; `lengths` are the words of Table 3."""
    extractive = any(row["model"] == "extractive" for row in manifest["models"])
    body = _BODY.substitute(
        name=manifest["name"],
        summary=SUMMARY,
        rows="\n".join(
            f"| {config}, {split} | {count:,} |"
            for config, splits in manifest["rows"].items()
            for split, count in splits.items()
        ),
        models=_table(manifest["models"], "Nothing was written yet."),
        thresholds="\n".join(
            f"| `{section}.{name}` | {_shown(manifest['settings'][section][name])} | {meaning} |"
            for section, name, meaning in _THRESHOLDS
        ),
        lengths=_table(lengths, "There is no item."),
        statistics=_table(export.rows("single_hop_statistics"), "Not measured."),
        retrieval=_retrieval(list(export.rows("retrieval_scores"))),
        answering=_answering(list(export.rows("answering_scores"))),
        rejections=_table(export.rows("rejections"), "Nothing."),
        left_out=_table(manifest["left_out"], "Nothing."),
        licences=_table(
            [{"licence": name, "papers with text": papers} for name, papers in manifest["licences"].items()],
            "There is no paper with text.",
        ),
        extractive=_EXTRACTIVE if extractive else "",
    )
    return f"{front_matter(manifest)}\n{body}"


_EXTRACTIVE = (
    " Rows of the model `extractive` were composed by rules without any language model: they show the form "
    "of the data and are no benchmark."
)


def _retrieval(scores: Sequence[Row]) -> str:
    rows = _pivoted(scores, ("retriever", "variant", "setting", "queries"), _RETRIEVAL)
    if not rows:
        return "Not evaluated."
    said = "Mean over the queries of the corpus that were evaluated, with 95 % intervals. `cluster`: the papers of `cluster`; `random`: as many random papers; `full`: all papers."
    return f"{said}\n\n{_table(rows)}"


def _answering(scores: Sequence[Row]) -> str:
    rows = _pivoted(scores, ("answerer", "judge", "variant", "setting", "answers"), _ANSWERING)
    if not rows:
        return "Not evaluated."
    said = (
        "Mean over the answers, with 95 % intervals. The accuracy is a judge's; the other measures have none."
    )
    return f"{said}\n\n{_table(rows)}"


def _pivoted(scores: Iterable[Row], key: Sequence[str], measures: Sequence[str]) -> list[Row]:
    """A row for each key with its measures as columns; measures that nobody took are left out."""
    rows: dict[tuple[Any, ...], Row] = {}
    for score in scores:
        if score["measure"] in measures:
            named = {
                name: public(score[name]) if isinstance(score[name], str) else score[name] for name in key
            }
            rows.setdefault(tuple(named.values()), named)[score["measure"]] = _with_interval(score)
    taken = [measure for measure in measures if any(measure in row for row in rows.values())]
    return [{name: row.get(name) for name in (*key, *taken)} for row in rows.values()]


def _with_interval(score: Row) -> str:
    value = f"{score['value']:.3f}"
    return value if score["low"] is None else f"{value} ({score['low']:.3f} to {score['high']:.3f})"


def _table(rows: Iterable[Mapping[str, Any]], without: str = "") -> str:
    """Rows as a Markdown table, or what is said without any."""
    listed = list(rows)
    if not listed:
        return without
    names = list(listed[0])
    lines = [
        f"| {' | '.join(names)} |",
        f"|{'|'.join('---' for _ in names)}|",
        *(f"| {' | '.join(_shown(row[name]) for name in names)} |" for row in listed),
    ]
    return "\n".join(lines)


def _shown(value: Any) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    if isinstance(value, int):
        return f"{value:,}"
    return str(value).replace("|", "\\|").replace("\n", " ")

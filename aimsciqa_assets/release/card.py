"""The dataset card: `README.md` of a release, with the front matter that the `datasets` package reads."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, Final

from aimsciqa_resources.language_model.settings import RECORDED

from aimsciqa.baselines import ANSWERING, RETRIEVAL
from aimsciqa_assets.items import FORMS
from aimsciqa_assets.release.exporting import Export
from aimsciqa_assets.release.fields import example, field_rows
from aimsciqa_assets.release.layout import (
    ALIASES,
    Counts,
    Row,
    configs,
    forms_in,
    published,
    tables,
)
from aimsciqa_assets.release.provenance import Manifest
from aimsciqa_assets.release.reasons import left_out_by_gates, named_without_text

SUMMARY: Final = (
    "Inter-document, multi-hop questions over scientific papers: each is answered by first finding one paper "
    "among others and then combining what it says with the paper in hand. Every item comes with the quotes "
    "that it rests on."
)
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_TASKS: Final = {
    RETRIEVAL: ("retriever", "queries", ("Hit@1", "Hit@3", "MRR@5", "Hit@50", "MRR@50")),
    ANSWERING: (
        "answerer",
        "answers",
        ("accuracy", "fact_recall", "fact_precision", "token_f1", "rouge_l", "bert_score", "found_target"),
    ),
}
"""By task: what its systems and its items are called, and the measures that the card shows.

There is an accuracy for each judge."""
_THRESHOLDS = (
    ("relations", "tau", "lowest cosine at which two questions count as similar"),
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

_BODY = Path(__file__).with_name("card.md")


def front_matter(manifest: Manifest) -> str:
    """The YAML head of the card: what `load_dataset` can load, and how many rows it must find.

    Splits without rows are left out: the `datasets` package cannot load them.
    """
    rows: Counts = manifest["rows"] | {name: manifest["rows"][same] for name, same in ALIASES.items()}
    sizes: Counts = manifest["bytes"] | {name: manifest["bytes"][same] for name, same in ALIASES.items()}
    forms = forms_in(manifest["rows"])
    paths = {config: of_splits for config, (_, of_splits) in configs(forms).items()}
    paths |= {name: paths[same] for name, same in ALIASES.items()}
    total = sum(sum(rows[form].values()) for form in forms)
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
    ]
    filled = {
        config: [split for split, count in splits.items() if count]
        for config, splits in rows.items()
        if any(splits.values())
    }
    if filled:
        lines.append("configs:")
    for config, splits in filled.items():
        lines += [f"- config_name: {config}", *(["  default: true"] if config in forms[:1] else [])]
        lines.append("  data_files:")
        for split in splits:
            lines += [f"  - split: {split}", f"    path: {paths[config][split]}"]
    if filled:
        lines.append("dataset_info:")
    for config, splits in filled.items():
        lines += [f"- config_name: {config}", "  splits:"]
        for split in splits:
            size, count = sizes[config][split], rows[config][split]
            lines += [f"  - name: {split}", f"    num_bytes: {size}", f"    num_examples: {count}"]
    return "\n".join([*lines, "---", ""])


def card(
    manifest: Manifest,
    export: Export,
    *,
    lengths: Sequence[Row],
    pools: Mapping[tuple[str, int], int],
    figures: Sequence[Row],
    record: Row | None,
) -> str:
    """`README.md`. `lengths` are the average numbers of words of Table 3, `figures` those of the baselines.

    `pools` says how many items of each variant have a cluster of each size; `record` is an example.
    """
    scripted = any(row["model"] == "scripted" for row in manifest["models"])
    form = forms_in(manifest["rows"])[0]
    body = Template(_BODY.read_text(encoding="utf-8")).substitute(
        name=manifest["name"],
        summary=SUMMARY,
        rows="\n".join(
            f"| {config}, {split} | {count:,} |"
            for config in tables(forms_in(manifest["rows"]))
            for split, count in manifest["rows"][config].items()
        ),
        models=_table(manifest["models"], "No model has written anything yet."),
        thresholds="\n".join(
            f"| `{section}.{name}` | {_shown(manifest['settings'][section][name])} | {meaning} |"
            for section, name, meaning in _THRESHOLDS
        ),
        apart=_APART[manifest["settings"]["multi_hop"]["kept_apart"]],
        lengths=_table(lengths, "There is no item."),
        statistics=_table(export.rows("single_hop_statistics"), "Not measured."),
        form=form,
        split="test" if manifest["rows"][form]["test"] else "dev",
        fields=_table(field_rows(published(form).schema)),
        example=example(record) if record else "There is no item.",
        about=_about(manifest),
        without_text=named_without_text(manifest["without_text"]),
        version=manifest["versions"]["aimsciqa"],
        retrieval=_figures(figures, RETRIEVAL, _RETRIEVAL.format(documents=_documents(manifest))),
        answering=_figures(figures, ANSWERING, _ANSWERING),
        edited=_edited(next(export.rows("edited"))),
        rejections=_table(export.rows("rejections"), "Nothing."),
        gates=left_out_by_gates(manifest["settings"]["release"]["gates"], _reasons(manifest)),
        necessity=_table(export.rows("necessity"), "Not tested."),
        left_out=_table(manifest["left_out"], "Nothing."),
        licences=_table(
            [{"licence": name, "papers with text": papers} for name, papers in manifest["licences"].items()],
            "There is no paper with text.",
        ),
        small_clusters=_small_clusters(pools, manifest["settings"]["relations"]["cluster_size"]),
        scripted=_SCRIPTED if scripted else "",
        recorded=_RECORDED if any(map(_is_recorded, _named_in(manifest, figures))) else "",
    )
    return f"{front_matter(manifest)}\n{body}"


def _small_clusters(pools: Mapping[tuple[str, int], int], asked: int) -> str:
    """What is to be known of clusters that hold fewer papers than were asked for; "" where none does."""
    sizes = {size: items for (variant, size), items in pools.items() if variant == "im"}
    small = {size: items for size, items in sizes.items() if size < asked}
    if not small:
        return ""
    return (
        f"\n- The corpus was small: {sum(small.values()):,} of {sum(sizes.values()):,} items of variant `im` "
        f"have a cluster of fewer than {asked} papers (the smallest has {min(small)}). A target is easier to "
        f"find among fewer papers, so figures are not comparable with those for clusters of {asked}."
    )


def _about(manifest: Manifest) -> str:
    """What the forms say of their items, those of them that say something; "" where none does."""
    forms = [FORMS[name] for name in forms_in(manifest["rows"])]
    return "".join(f"\n`{form.name}`: {form.about}\n" for form in forms if form.about)


def _reasons(manifest: Manifest) -> Counter[str]:
    """The number of accepted items by the reason why they are not in the release."""
    reasons: Counter[str] = Counter()
    for row in manifest["left_out"]:
        if row["what"] == "accepted items":
            reasons[row["rejection_reason"]] += row["rows"]
    return reasons


def _edited(counts: Row) -> str:
    """What is to be known of items that reviewers edited; "" where there is none."""
    if not counts["items"]:
        return ""
    answers = (
        f"The models were asked the words of `original`; {_number(counts['answers'], 'answer')} to these "
        f"{'is' if counts['answers'] == 1 else 'are'} not among the baselines. "
    )
    return (
        f"Reviewers edited {_number(counts['items'], 'item')} of this release. "
        f"{answers if counts['answers'] else ''}Retrieval questions, steps and verdicts of gates are those "
        "of the original words, and runs are of all items.\n"
    )


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


_RETRIEVAL: Final = (
    "Mean over the queries of the items in this release, with 95 % intervals over groups of items that share "
    "a fact. In `cluster` a retriever ranks the papers of `cluster`, in `full` all papers of "
    "`beir/corpus.jsonl` but the source. `bm25` reads the titles and abstracts of that file, so that anyone "
    "gets the same figures. The runs of other retrievers were made on the whole corpus ({documents}); papers "
    "that are not in this release were taken out of them."
)
_ANSWERING: Final = (
    "Mean over the answers to the items in this release, with 95 % intervals over groups of items that share "
    "a fact. The model read source and target (`oracle`), one of them (`source_only`, `target_only`), "
    "nothing (`closed_book`), the source and the paper that a retriever put first (`realistic`), or the "
    "source and the paper behind a citation marker that it chose (`citation`), titles and abstracts "
    "(`title_abstract`), or passages (`passages`) or the whole text (`segments`) of what was in hand; in the "
    "settings that begin with `rag_` it read what was in hand and what a RAG baseline found. An answer that "
    "was not given counts as 0. `accuracy (lexical)` only compares words."
)

_APART = {
    "evidence": "the same source, the same two papers or the same sentence of evidence",
    "facts": "the same source or the same two papers",
}
_SCRIPTED = (
    " Rows of the model `scripted` were made by fixed rules, without a language model: they show the form of "
    "the data and are no benchmark."
)


def _named_in(manifest: Manifest, figures: Sequence[Row]) -> Iterator[str]:
    """The names of all language models in the card."""
    yield from (row["model"] for row in manifest["models"])
    for row in figures:
        yield row["system"]
        yield row["measure"].removeprefix("accuracy (")


def _is_recorded(model: str) -> bool:
    return model.startswith(RECORDED)


_RECORDED = (
    " Rows of a model `recorded:NAME` come from replies that NAME, a person or a model, gave in a file. The "
    "name is the one under which that file was taken in."
)


def tables_of(figures: Sequence[Row]) -> list[str]:
    """The tables of the card that show figures: of retrieval, then of answering; those without rows not."""
    return [_table(rows) for task in _TASKS if (rows := _pivoted(figures, task))]


def _figures(figures: Sequence[Row], task: str, said: str) -> str:
    rows = _pivoted(figures, task)
    return f"{said}\n\n{_table(rows)}" if rows else "Not evaluated."


def _documents(manifest: Manifest) -> str:
    """What the retrievers of the benchmark read."""
    chosen = manifest["settings"]["benchmark"]
    return {
        "chunks": f"passages of {chosen['chunk_words']} words of the papers' full text",
        "questions": "the single-hop questions about the papers",
    }.get(chosen["document_text"], "titles and abstracts")


def _pivoted(figures: Sequence[Row], task: str) -> list[Row]:
    """A row for each system, setting, split and variant, with its measures as columns."""
    system, items, shown = _TASKS[task]
    rows: dict[tuple[Any, ...], Row] = {}
    for score in figures:
        if score["task"] == task and score["measure"].split(" ")[0] in shown:
            key = tuple(score[name] for name in ("system", "setting", "split", "variant"))
            named = dict(zip((system, "setting", "split", "variant"), key, strict=True))
            named[items] = score["items"]
            rows.setdefault(key, named)[score["measure"]] = _with_interval(score)
    there = dict.fromkeys(name for row in rows.values() for name in row)
    measures = [name for name in there if name.split(" ")[0] in shown]
    measures.sort(key=lambda name: shown.index(name.split(" ")[0]))
    columns = (system, "setting", "split", "variant", items, *measures)
    return [{name: row.get(name) for name in columns} for row in rows.values()]


def _with_interval(score: Row) -> str:
    value = f"{score['value']:.3f}"
    return value if score["low"] is None else f"{value} ({score['low']:.3f} to {score['high']:.3f})"


def _table(rows: Iterable[Mapping[str, Any]], without: str = "") -> str:
    """The rows as a Markdown table, or the text `without` if there are none."""
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

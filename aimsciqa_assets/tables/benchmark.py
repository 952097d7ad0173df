"""Tables of the evaluation: retrieval, answering, quality gates, evidence, and ratings by judges."""

from aimsciqa_assets.tables.corpus import SECTION_KINDS
from aimsciqa_assets.tables.quality import NECESSITY
from aimsciqa_assets.tables.table import ID, ITEM, KIND, MODEL, Column, Table

RETRIEVAL_SETTINGS = ("cluster", "random", "full")
GATES = ("single_document", "closed_book", "unique_retrieval", "no_duplicate")
VERDICTS = ("pass", "fail", "unknown")
MISSING = ("zero", "skip")
SHOWN = ("paragraphs", "segments", "facts", "documents")

_RETRIEVER = Column("retriever", "VARCHAR", "the retriever, as the settings write it")
_ANSWERER = Column("answerer", "VARCHAR", "the model that answered, as the settings write it")
_RETRIEVAL_SETTING = Column(
    "setting",
    "VARCHAR",
    "the papers to rank: the item's cluster, as many random papers, or all (also for items without cluster)",
    values=RETRIEVAL_SETTINGS,
)
_ANSWERING_SETTING = Column(
    "setting",
    "VARCHAR",
    "what the model could read. oracle: all documents of the item (source and target); realistic: the source "
    "and the paper retrieved first; closed_book: nothing; source_only, target_only, or another role with "
    "_only: that document alone; citation: the source and the paper cited by the marker that it chose; "
    "rag_standard and so on: what is in hand, and what that RAG baseline finds",
)
_INTERVAL = (
    Column("value", "DOUBLE", "mean over the queries"),
    Column("low", "DOUBLE", "lower end of the 95 % bootstrap interval", null=True),
    Column("high", "DOUBLE", "upper end", null=True),
)
_CLUSTERS = "groups of items that share a fact, or single items: what the interval is drawn over"

BENCHMARK = (
    Table(
        "benchmark.queries",
        "an item that is evaluated: its query, and the papers among which its target is looked for",
        (
            ITEM,
            KIND,
            Column("split", "VARCHAR", "dev or test", values=("dev", "test")),
            Column(
                "source_paper_id",
                ID,
                "the paper in hand, never among the candidates; null where there is none, or several",
                null=True,
            ),
            Column("target_paper_id", ID, "the gold paper; null where there is none, or several", null=True),
            Column("query", "VARCHAR", "the retrieval question; null: nothing is retrieved", null=True),
            Column("question", "VARCHAR", "the item's question (the merged one)"),
            Column("answer", "VARCHAR", "its answer"),
            Column("cluster", "VARCHAR[]", "papers of the cluster, the target among them, by id", null=True),
            Column(
                "random_cluster",
                "VARCHAR[]",
                "as many random papers, the target among them, by id",
                null=True,
            ),
        ),
        ("item_id",),
        by="",
    ),
    Table(
        "benchmark.rankings",
        "the ranking of a retriever for a query: the rank of the gold paper, and the first papers",
        (
            _RETRIEVER,
            ITEM,
            KIND,
            _RETRIEVAL_SETTING,
            Column("candidates", "INTEGER", "papers that were ranked"),
            Column(
                "rank", "INTEGER", "place of the gold paper, from 1; of the first where there are several"
            ),
            Column("papers", "VARCHAR[]", "the first 50 papers; ties by id"),
            Column("scores", "DOUBLE[]", "their scores"),
        ),
        ("retriever", "item_id", "setting"),
        by="retriever",
    ),
    Table(
        "benchmark.retrieval_scores",
        "a measure of a retriever (Table 6 of the paper)",
        (
            _RETRIEVER,
            KIND,
            _RETRIEVAL_SETTING,
            Column("measure", "VARCHAR", "Hit@1, MRR@5, nDCG@10, ..."),
            *_INTERVAL,
            Column("queries", "BIGINT", "how many"),
            Column("clusters", "BIGINT", _CLUSTERS, null=True),
        ),
        ("retriever", "variant", "setting", "measure"),
        by="",
    ),
    Table(
        "benchmark.evidence_access",
        "a measure of evidence accessibility: how well a retriever finds the gold papers among all papers",
        (
            _RETRIEVER,
            KIND,
            Column(
                "measure",
                "VARCHAR",
                "MAP (at 10), Recall@5, Recall@10, Recall@20, nDCG@5, nDCG@10, Support F1 (at 10)",
            ),
            Column("value", "DOUBLE", "mean over the queries; null: none counts", null=True),
            Column("low", "DOUBLE", "lower end of the 95 % bootstrap interval", null=True),
            Column("high", "DOUBLE", "upper end", null=True),
            Column("queries", "BIGINT", "queries that count"),
            Column("without_gold", "BIGINT", "queries without gold papers"),
            Column("without_ranking", "BIGINT", "queries with gold papers for which nothing was found"),
            Column("missing", "VARCHAR", "what these two score (benchmark.evidence_missing)", values=MISSING),
        ),
        ("retriever", "variant", "measure"),
        by="",
    ),
    Table(
        "benchmark.retrieval_comparisons",
        "two retrievers compared on the same queries",
        (
            Column("retriever", "VARCHAR", "one retriever"),
            Column("other", "VARCHAR", "the other retriever"),
            KIND,
            _RETRIEVAL_SETTING,
            Column("measure", "VARCHAR", "what is compared"),
            Column("difference", "DOUBLE", "mean of the one minus mean of the other"),
            Column("low", "DOUBLE", "lower end of the 95 % bootstrap interval", null=True),
            Column("high", "DOUBLE", "upper end", null=True),
            Column("p_value", "DOUBLE", "two-sided, paired randomisation test", null=True),
            Column("p_adjusted", "DOUBLE", "after Holm, over the pairs of retrievers", null=True),
            Column("queries", "BIGINT", "how many"),
            Column("clusters", "BIGINT", _CLUSTERS, null=True),
        ),
        ("retriever", "other", "variant", "setting", "measure"),
        by="",
    ),
    Table(
        "benchmark.answers",
        "an item answered by a model in one setting",
        (
            Column("answer_id", ID, "hash of answerer, item and setting"),
            _ANSWERER,
            ITEM,
            KIND,
            _ANSWERING_SETTING,
            Column(
                "retriever",
                "VARCHAR",
                "realistic, and RAG baselines: the retriever that found the papers",
                null=True,
            ),
            Column("marker", "VARCHAR", "citation: the marker that the model chose", null=True),
            Column(
                "marker_fault",
                "VARCHAR",
                "citation: why the marker leads to no paper; the model then read the source alone, or was "
                "not asked (benchmark.answer_without_citation)",
                null=True,
            ),
            Column(
                "read_paper_id",
                ID,
                "the paper it read besides the source; null for none, or several",
                null=True,
            ),
            Column(
                "found_target",
                "BOOLEAN",
                "the paper it read is the gold one; null where that paper was given",
                null=True,
            ),
            Column(
                "shortened",
                "INTEGER",
                "how often the papers were halved, keeping the paragraphs nearest the question, until they "
                "fitted into the model's context; 0: read whole",
            ),
            Column("prediction", "VARCHAR", "its answer; null when it gave none", null=True),
            Column(
                "rejection_reason",
                "VARCHAR",
                "why there is no prediction. no_ranking, not_recorded, no_model (a RAG baseline asks no "
                "rules and no people): the question was not put, and the row does not count; no_text: a "
                "paper has no text (benchmark.unusable says whether it counts); otherwise it counts as 0. "
                "no_logprobs: the baseline needs log-probabilities, and the model's server gives none",
                null=True,
            ),
            Column("exact_match", "DOUBLE", "1 when equal after SQuAD's normalisation", null=True),
            Column("token_f1", "DOUBLE", "overlap of tokens, after the same normalisation", null=True),
            Column(
                "exact_match_bridge",
                "DOUBLE",
                "1 when equal after the normalisation of HopWeaver's authors for bridge questions",
                null=True,
            ),
            Column("token_f1_bridge", "DOUBLE", "overlap of the sets of tokens after it", null=True),
            Column(
                "exact_match_comparison",
                "DOUBLE",
                "1 when equal after the normalisation of HopWeaver's authors for comparisons",
                null=True,
            ),
            Column("token_f1_comparison", "DOUBLE", "overlap of tokens after it", null=True),
            Column("rouge_l", "DOUBLE", "ROUGE-L F1, without stemmer", null=True),
            Column("bert_score", "DOUBLE", "BERTScore F1, rescaled; null without its model", null=True),
            Column("reply", "VARCHAR", "the raw reply; null when the model gave none", null=True),
            *MODEL,
        ),
        ("answer_id",),
        by="answerer",
    ),
    Table(
        "benchmark.rag_steps",
        "a step of a RAG baseline on the way to an answer: a search, or a request to the model",
        (
            Column("answer_id", ID, "the answer"),
            Column("position", "INTEGER", "place of the step, from 1"),
            _ANSWERER,
            ITEM,
            _ANSWERING_SETTING,
            Column(
                "kind",
                "VARCHAR",
                "search: of the corpus; answer, thought, candidates, summary, validity, ranking, draft, "
                "sentence, reasoning, reading: what the model was asked for; weights, candidate, token: "
                "what REPLUG makes of log-probabilities",
            ),
            Column("query", "VARCHAR", "what was searched for; null where nothing was", null=True),
            Column(
                "papers",
                "VARCHAR[]",
                "search: the papers found, the best first; otherwise those of them that the model was shown",
            ),
            Column(
                "scores",
                "DOUBLE[]",
                "search: the retriever's scores; weights: of the papers; candidate: its log-probability "
                "under each paper",
            ),
            Column("text", "VARCHAR", "the reply; weights: which REPLUG it is", null=True),
            Column(
                "number",
                "DOUBLE",
                "draft: the lowest probability of a token; validity: 1 or 0; ranking: 1, 0.5 or 0 for the "
                "first summary; candidate: its weighted log-probability; token: its weighted probability",
                null=True,
            ),
        ),
        ("answer_id", "position"),
        by="answerer",
    ),
    Table(
        "benchmark.judgements",
        "the score of a judge for an answer",
        (
            Column("answer_id", ID, "the answer"),
            Column("judge", "VARCHAR", "who judged; of the answerer's family only if the settings let it"),
            _ANSWERER,
            ITEM,
            _ANSWERING_SETTING,
            Column(
                "kind",
                "VARCHAR",
                "a language model, the lexical judge, or the item's own evaluator",
                values=("model", "lexical", "evaluator"),
            ),
            Column("score", "DOUBLE", "0, 0.5 or 1; null when there is no score", null=True),
            Column(
                "rejection_reason",
                "VARCHAR",
                "same_family: it may not judge this model; no_answer: there was nothing to judge, so the "
                "score is 0; no_text: nobody was asked, because a paper has no text; otherwise why its reply "
                "could not be read",
                null=True,
            ),
            Column("reply", "VARCHAR", "the raw reply; null when there is none", null=True),
            Column("prompt_version", "VARCHAR", "hash of the prompt; empty for the lexical judge"),
        ),
        ("answer_id", "judge"),
        by="answerer",
    ),
    Table(
        "benchmark.answering_scores",
        "a measure of an answering model (Tables 7 and 8 of the paper)",
        (
            _ANSWERER,
            KIND,
            _ANSWERING_SETTING,
            Column(
                "measure",
                "VARCHAR",
                "accuracy (judged), exact_match and token_f1 (SQuAD's), the same two with _bridge and "
                "_comparison (HopWeaver's normalisations), rouge_l, bert_score, found_target",
            ),
            Column(
                "judge",
                "VARCHAR",
                "who judged the accuracy. lexical: a comparison of words; mean of judges: several models; "
                "empty for the other measures",
            ),
            *_INTERVAL,
            Column("answers", "BIGINT", "how many the mean rests on"),
            Column("clusters", "BIGINT", _CLUSTERS, null=True),
            Column(
                "no_text",
                "BIGINT",
                "answers that could not be given because a paper has no text; they count as 0, unless "
                "benchmark.unusable leaves them out",
                null=True,
            ),
            Column("failed", "BIGINT", "answers that the model failed to give; they count as 0", null=True),
            Column(
                "unreadable",
                "BIGINT",
                "answers whose judge's reply could not be read; they count as 0, unless benchmark.unusable "
                "leaves them out",
                null=True,
            ),
        ),
        ("answerer", "variant", "setting", "measure", "judge"),
        by="",
    ),
    Table(
        "benchmark.answerability",
        "what an answering model gains by the documents of the items: question only, and question + docs",
        (
            _ANSWERER,
            KIND,
            Column("measure", "VARCHAR", "as in benchmark.answering_scores"),
            Column("judge", "VARCHAR", "who judged the accuracy; empty for the other measures"),
            Column("question_only", "DOUBLE", "mean without documents (closed_book)"),
            Column("question_only_low", "DOUBLE", "lower end of its 95 % bootstrap interval", null=True),
            Column("question_only_high", "DOUBLE", "upper end", null=True),
            Column("with_documents", "DOUBLE", "mean with all documents of the item (oracle)"),
            Column("with_documents_low", "DOUBLE", "lower end of its 95 % bootstrap interval", null=True),
            Column("with_documents_high", "DOUBLE", "upper end", null=True),
            Column("gain", "DOUBLE", "the second mean minus the first"),
            Column("answers", "BIGINT", "how many the mean with documents rests on"),
        ),
        ("answerer", "variant", "measure", "judge"),
        by="",
    ),
    Table(
        "benchmark.gates",
        "the verdict of a quality gate on an accepted item",
        (
            ITEM,
            Column(
                "gate",
                "VARCHAR",
                "single_document: neither paper alone gives the answer; closed_book: memory does not; "
                "unique_retrieval: two retrievers rank the gold paper first in its cluster; "
                "no_duplicate: no earlier item asks nearly the same; necessity, where release.gates "
                "names it: no test of quality.necessity that counts failed",
                values=(*GATES, NECESSITY),
            ),
            Column("verdict", "VARCHAR", "whether it passed; unknown: no data to decide", values=VERDICTS),
            Column("detail", "VARCHAR", "what the verdict is based on"),
        ),
        ("item_id", "gate"),
        by="",
    ),
    Table(
        "benchmark.evidence_coverage",
        "a section, and how many of its sentences are evidence of a kept QA pair",
        (
            Column("section_id", ID, "the section"),
            Column("paper_id", ID, "its paper"),
            Column("kind", "VARCHAR", "section kind", values=SECTION_KINDS),
            Column("pairs", "INTEGER", "its kept QA pairs"),
            Column("sentences", "INTEGER", "sentences"),
            Column("evidence_sentences", "INTEGER", "sentences of which at least half is evidence"),
            Column(
                "coverage",
                "DOUBLE",
                "share of evidence sentences; null for a section without text",
                null=True,
            ),
        ),
        ("section_id",),
        by="",
    ),
    Table(
        "benchmark.ratings",
        "the rating of one dimension of an item by a judge, in one run",
        (
            Column("judge", "VARCHAR", "the model that judged, as the settings write it"),
            ITEM,
            Column("run", "INTEGER", "number of the run, from 1; each run asks the same judge again"),
            Column("dimension", "VARCHAR", "multi_hop, or one of the ten Likert dimensions"),
            Column(
                "score", "INTEGER", "1 to 5; for multi_hop 0 or 1; null when the judge gave none", null=True
            ),
            Column(
                "rejection_reason",
                "VARCHAR",
                "why there is no score. own_family: the judge's family wrote the item, so it was not asked; "
                "too_many_documents: it has more than a judge is shown",
                null=True,
            ),
            Column("shown", "VARCHAR", "what the judge was shown of each document", values=SHOWN),
            Column("shown_words", "INTEGER", "words of a document at most; null: no limit", null=True),
            *MODEL,
        ),
        ("judge", "item_id", "run", "dimension"),
        by="judge",
    ),
    Table(
        "benchmark.reliability",
        "a dimension of a judge's ratings: mean, spread and agreement of its runs; `all`: of all judges",
        (
            Column("judge", "VARCHAR", "the judge; all: each judge's mean over its runs is a rating"),
            Column("dimension", "VARCHAR", "the dimension; overall: mean of a rating's Likert dimensions"),
            Column("items", "BIGINT", "items with a rating"),
            Column("raters", "BIGINT", "runs, or judges"),
            Column("mean", "DOUBLE", "mean over the items of their mean rating"),
            Column(
                "average_sd",
                "DOUBLE",
                "sample standard deviation, averaged over the items with at least two ratings; null if none",
                null=True,
            ),
            Column(
                "krippendorff_alpha",
                "DOUBLE",
                "ordinal; null where it is undefined: one rater only, or all ratings equal",
                null=True,
            ),
            Column(
                "fleiss_kappa",
                "DOUBLE",
                "on rounded ratings, over the items that all raters rated; null where it is undefined",
                null=True,
            ),
        ),
        ("judge", "dimension"),
        by="",
    ),
    Table(
        "benchmark.judge_choice",
        "a quality judge: its place among the judges by their reliability, and whether the rule chooses it",
        (
            Column("judge", "VARCHAR", "the judge"),
            Column("place", "INTEGER", "1 is the most reliable; null: it has no rank", null=True),
            Column(
                "mean_rank",
                "DOUBLE",
                "mean of its ranks by alpha, kappa and spread, among judges of no writer's family",
                null=True,
            ),
            Column("items", "BIGINT", "items with a rating"),
            Column("raters", "BIGINT", "runs"),
            Column("krippendorff_alpha", "DOUBLE", "of its overall ratings; high is good", null=True),
            Column("fleiss_kappa", "DOUBLE", "of its overall ratings; high is good", null=True),
            Column("average_sd", "DOUBLE", "of its overall ratings; low is good", null=True),
            Column("chosen", "BOOLEAN", "whether the rule chooses it"),
            Column("counts", "BOOLEAN", "whether its ratings count (benchmark.judges_counting)"),
            Column(
                "rejection_reason",
                "VARCHAR",
                "why it is not chosen. own_family: its family wrote items; not_measured: alpha, kappa or "
                "spread is undefined; less_reliable: benchmark.judges_chosen others are better",
                null=True,
            ),
            Column("detail", "VARCHAR", "what that is based on"),
        ),
        ("judge",),
        by="",
    ),
    Table(
        "benchmark.rating_scores",
        "a dimension of the items of a kind, as the judges that count rate it together",
        (
            KIND,
            Column("shown", "VARCHAR", "what the judges were shown", values=SHOWN),
            Column("dimension", "VARCHAR", "the dimension; overall: mean of a rating's Likert dimensions"),
            Column("value", "DOUBLE", "mean over the items; of multi_hop the share of Yes"),
            Column("low", "DOUBLE", "lower end of the 95 % bootstrap interval", null=True),
            Column("high", "DOUBLE", "upper end", null=True),
            Column("items", "BIGINT", "items with a rating"),
            Column("judges", "BIGINT", "judges that rated them"),
        ),
        ("variant", "shown", "dimension"),
        by="",
    ),
)

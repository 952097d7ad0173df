"""Tables of the evaluation: what models answer, how judges score it, and what they gain by the documents."""

from aimsciqa_assets.tables.table import ID, INTERVAL, ITEM, KIND, MODEL, RESAMPLED, Column, Table

_ANSWERER = Column("answerer", "VARCHAR", "the model that answered, as the settings write it")
_ANSWERING_SETTING = Column(
    "setting",
    "VARCHAR",
    "what the model could read. oracle: all documents of the item (source and target); realistic: the source "
    "and the paper retrieved first; closed_book: nothing; source_only, target_only, or another role with "
    "_only: that document alone; citation: the source and the paper cited by the marker that it chose; "
    "title_abstract: those of all documents; passages: those of the documents in hand that "
    "a retriever finds; "
    "segments: the documents in hand, in segments where they are too long; "
    "rag_standard and so on: what is in hand, and what that RAG baseline finds",
)
_CASE = (_ANSWERER, ITEM, _ANSWERING_SETTING)
"""Of which answer a row is: who answered what, and how."""

_ANSWER = Column("answer_id", ID, "the answer")

_ROUGE = tuple(
    Column(
        f"{name}_{part}",
        "DOUBLE",
        f"{said} of {title} with stemmer, for long answers only (SciDQA)",
        null=True,
    )
    for name, title in (("rouge1", "ROUGE-1"), ("rouge2", "ROUGE-2"), ("rouge_l", "ROUGE-L"))
    for part, said in (("precision", "precision"), ("recall", "recall"), ("f1", "F1"))
)

ANSWERING = (
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
                "realistic, passages, and RAG baselines: the retriever that found what was read",
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
            *_ROUGE,
            Column(
                "bert_score",
                "DOUBLE",
                "BERTScore F1, rescaled unless benchmark.bert_score_rescaled says no; null without its model",
                null=True,
            ),
            Column("bleurt", "DOUBLE", "BLEURT; null without its model", null=True),
            Column("reply", "VARCHAR", "the raw reply; null when the model gave none", null=True),
            *MODEL,
        ),
        ("answer_id",),
        by="answerer",
    ),
    Table(
        "benchmark.rag_steps",
        "a step on the way to an answer, of a RAG baseline or in the setting segments: a search, a request",
        (
            _ANSWER,
            Column("position", "INTEGER", "place of the step, from 1"),
            *_CASE,
            Column(
                "kind",
                "VARCHAR",
                "search: of the corpus; answer, thought, candidates, summary, validity, ranking, draft, "
                "sentence, reasoning, reading: what the model was asked for; segment: an answer from a "
                "segment, selection: the choice among those; weights, candidate, token: "
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
                "first summary; candidate: its weighted log-probability; token: its weighted probability; "
                "segment: its number, from 1; selection: that of the chosen answer among those offered",
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
            _ANSWER,
            Column("judge", "VARCHAR", "who judged; of the answerer's family only if the settings let it"),
            *_CASE,
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
        "benchmark.fact_scores",
        "which facts of its item an answer states, as rules or a judge say; items without facts have no row",
        (
            _ANSWER,
            Column("judge", "VARCHAR", "rules, or the model that judged the facts without a number"),
            *_CASE,
            Column("stated", "BOOLEAN[]", "whether the answer states f1, f2, ...; null: nobody scored it"),
            Column("unscored", "INTEGER", "facts that nobody scored: they have no number"),
            Column("fact_recall", "DOUBLE", "share of the scored facts that the answer states", null=True),
            Column(
                "fact_precision",
                "DOUBLE",
                "rules: share of the answer's numbers that a fact, its quote or a computation gives; null: "
                "no number counts",
                null=True,
            ),
            Column(
                "rejection_reason",
                "VARCHAR",
                "as in benchmark.judgements",
                null=True,
            ),
            Column("reply", "VARCHAR", "the raw reply; null when there is none", null=True),
            Column("prompt_version", "VARCHAR", "hash of the prompt; empty where no model was asked"),
        ),
        ("answer_id", "judge"),
        by="answerer",
    ),
    Table(
        "benchmark.aspect_ratings",
        "the rating of a long answer by a judge in SciDQA's four aspects",
        (
            _ANSWER,
            Column("judge", "VARCHAR", "who judged; never of the answerer's family"),
            *_CASE,
            Column("relevance", "DOUBLE", "1 to 10: it deals with what was asked", null=True),
            Column("accuracy", "DOUBLE", "1 to 10: it agrees with the right answer", null=True),
            Column("completeness", "DOUBLE", "1 to 10: it covers the right answer", null=True),
            Column("conciseness", "DOUBLE", "1 to 10: without needless words", null=True),
            Column("overall", "DOUBLE", "the mean of the four, times 10", null=True),
            Column("status", "VARCHAR", "whether there is a rating", values=("rated", "rejected")),
            Column(
                "rejection_reason",
                "VARCHAR",
                "same_family: it may not judge this model, and was not asked; no_answer: there was nothing "
                "to rate, which counts as 0 in the means; no_text: nobody was asked, because a paper has no "
                "text; otherwise why its reply could not be read",
                null=True,
            ),
            Column("reply", "VARCHAR", "the raw reply; null when there is none", null=True),
            Column("prompt_version", "VARCHAR", "hash of the prompt"),
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
                "accuracy (judged), fact_recall and fact_precision (benchmark.fact_scores), exact_match and "
                "token_f1 (SQuAD's), the same two with _bridge and "
                "_comparison (HopWeaver's normalisations), rouge_l, bert_score, bleurt, found_target. Of "
                "long answers also rouge1_precision to rouge_l_f1 as in benchmark.answers, rouge_mean (the "
                "mean of the three F1), aspects (overall rating, divided by 100) and scidqa_avg (the mean of "
                "rouge_mean, bleurt, bert_score and the ratings of three judges; only where all six are "
                "there)",
            ),
            Column(
                "judge",
                "VARCHAR",
                "who judged the accuracy, the facts or the aspects. lexical: a comparison of words; rules: "
                "facts with a number alone; mean of judges: several models (of the aspects: ALS); empty for "
                "the other measures",
            ),
            *INTERVAL,
            Column("answers", "BIGINT", "how many the mean rests on"),
            Column("clusters", "BIGINT", RESAMPLED, null=True),
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
            Column("unscored", "BIGINT", "fact_recall: facts that nobody scored", null=True),
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
)

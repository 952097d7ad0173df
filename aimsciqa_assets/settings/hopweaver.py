"""Every setting of HopWeaver, with its meaning and its default."""

from typing import Literal, get_args

from aimsciqa_resources.section import Section
from pydantic import Field, field_validator

Arm = Literal["standard", "diverse", "diverse_zs", "diverse_ft"]
"""A way of HopWeaver to find a second document."""


class HopWeaverSettings(Section):
    """Bridge and comparison questions (HopWeaver, docs/hopweaver.md). Off while no kind is named."""

    kinds: str = Field(
        default="",
        pattern=r"^((bridge|comparison)( |$))*$",
        description="kinds of questions to make, separated by spaces: bridge, comparison; empty: none. They "
        "need a language model",
    )
    documents_per_batch: int = Field(
        default=0,
        ge=0,
        description="documents of a paper batch from which a question of each kind is tried, drawn by the "
        "seed; 0: all",
    )
    seed: int = Field(default=20241, ge=0, description="seed of that draw")
    draws: Literal["likely", "any"] = Field(
        default="likely",
        description="which documents are drawn first: those that share a name that may lead on (bridge) or "
        "whose opening defines them as of one kind with another document (comparison); or any, as in the "
        "paper",
    )
    fewest_characters: int = Field(
        default=300, ge=1, description="characters of a document that questions may start from, at least"
    )
    most_words: int = Field(
        default=0, ge=0, description="words of a document at most; longer ones are left out; 0: no limit"
    )
    most_tokens: int = Field(
        default=0,
        ge=0,
        description="tokens of a document at most, counted by the packaged encoder's tokenizer; 0: no limit",
    )
    segment_words: int = Field(
        default=20, ge=1, description="words of each segment of a bridge question, at least"
    )
    retriever: str = Field(
        default="",
        description="what searches for second documents: bm25, NAME of an encoder, server:NAME or A+B, as "
        "for the benchmark (docs/benchmark.md); empty: the encoder of the pipeline",
    )
    fusion: Literal["default", "interleave", "rrf", "dense_first", "bm25_first"] = Field(
        default="rrf", description="how the hits of A and B become one list (docs/hopweaver.md)"
    )
    lambdas: Literal["paper", "wrapper", "synthesizer", "reranker"] = Field(
        default="paper",
        description="weights of relevance, likeness to the source and redundancy when candidates are "
        "selected: 0.87/0.03/0.1, 0.8/0.1/0.1, 0.7/0.1/0.2 or 0.85/0.05/0.1",
    )
    top_k: int = Field(default=5, ge=1, description="candidates of a bridge question")
    pool: int = Field(
        default=3, ge=1, description="so many times top_k documents are searched, of which these are selected"
    )
    source_similarity: Literal["document", "segment"] = Field(
        default="document",
        description="what candidates shall not be like: the source document, as in the paper, or the segment "
        "on the bridge entity, as in the code of its authors",
    )
    reranker: str = Field(
        default="",
        description="cross-encoder that orders the candidates (the paper: BAAI/bge-reranker-v2-m3); empty: "
        "they stay in the order in which they were selected",
    )
    tries: int = Field(
        default=3, ge=1, description="replies to a step that are asked for until one can be used, at most"
    )
    failure: Literal["paper", "code"] = Field(
        default="paper",
        description="what a failure behind the sub-questions leads to: the next document, as in the paper, "
        "or the end of the attempt, as in the code of its authors",
    )
    unmentioned: Literal["asked", "passed_over"] = Field(
        default="passed_over",
        description="what becomes of a candidate that does not hold half of the telling words of the bridge "
        "entity's name: the model is asked about it, as in the paper, or it is passed over unasked",
    )
    listed_only: Literal["asked", "passed_over"] = Field(
        default="passed_over",
        description="what becomes of a candidate that names the bridge entity only once, behind its opening, "
        "in a list of three or more names: the model is asked about it, as in the paper, or it is passed "
        "over unasked",
    )
    shared_names: Literal["offered", "returned", "off"] = Field(
        default="offered",
        description="what becomes of the names that the source shares with other documents: offered with the "
        "request for a bridge entity; returned once with an entity that no candidate names (so, too, where "
        "they were offered); or off, as in the paper. The former true is returned, false is off",
    )
    holders: bool = Field(
        default=True,
        description="the documents that hold the full name of the bridge entity are tried first, those whose "
        "title it is before others; the paper tries what the search finds",
    )
    first_hop: Literal["quote", "segment"] = Field(
        default="quote",
        description="what the first sub-question rests on: the exact quote of the source, which the prompts "
        "show and rules check, or the segment in the model's words, as in the paper",
    )
    masked_rank: int = Field(
        default=1,
        ge=0,
        description="a candidate fails if a search for the second sub-question without the entity's name, by "
        "the retriever or by BM25, finds it among so many documents; 0: no such search, as in the paper",
    )
    question_rank: int = Field(
        default=3,
        ge=0,
        description="a candidate fails if a search for the fused question finds it among so many documents, "
        "the source left out; 0: no such search, as in the paper",
    )
    shortcuts: Literal["document", "segment"] = Field(
        default="segment",
        description="where the answer of the second hop must not stand: in the source document, as in the "
        "paper, or in the segment of it alone; long papers hold many words",
    )
    least_concreteness: float = Field(
        default=5,
        ge=1,
        le=5,
        description="comparisons: how concrete the subject of a document must be scored, 1 to 5",
    )
    least_comparability: float = Field(
        default=4,
        ge=1,
        le=5,
        description="comparisons: how comparable an attribute must be scored to be used, 1 to 5 (the code of "
        "the authors: 5)",
    )
    compared: Literal["ordered", "all"] = Field(
        default="ordered",
        description="comparisons: values that have an order (dates, sizes, amounts) and differ, so that one "
        "of two entities is the answer; or all, also by yes or no, as in the paper",
    )
    most_years: int = Field(
        default=15,
        ge=0,
        description="comparisons: years that two compared years may lie apart, as who lived in which age can "
        "be guessed; 0: any number, as in the paper",
    )
    kin: Literal["first", "asked"] = Field(
        default="first",
        description="comparisons: documents whose opening defines them as of the source's kind are tried "
        "first, and those of another kind are left out; or the model is asked about all that a query found, "
        "as in the paper",
    )
    in_common: Literal["stated", "unasked"] = Field(
        default="stated",
        description="comparisons: the model names a property that the two share besides their kind, with a "
        "quote of each document, and a pair without one is refused; or nothing is asked, as in the paper",
    )
    direction: Literal["drawn", "free"] = Field(
        default="drawn",
        description="comparisons: the seed says whether a question asks for the lower or the higher value "
        "(earlier or later, fewer or more); or the model chooses, as in the paper",
    )
    repeats: Literal["once", "any"] = Field(
        default="once",
        description="comparisons: how often the accepted ones of a batch use an entity or a document",
    )
    comparison_top_k: int = Field(
        default=3, ge=1, description="comparisons: documents that are kept of each query"
    )
    merging: Literal["all", "truncated"] = Field(
        default="all",
        description="comparisons: which documents of the three queries are tried: all, the first of each "
        "query first, as in the paper; or as many as one query gives, as in the code of its authors, where "
        "the second and the third query hardly count",
    )
    guided: bool = Field(
        default=True,
        description="comparisons: an entity and an attribute that the model recommends are the ones that are "
        "compared; the code of the authors forgets the recommendation",
    )
    readings: Literal["tolerant", "released"] = Field(
        default="tolerant",
        description="comparisons: how replies are read that stray from their form: as far as they can be, or "
        "as the code of the authors reads them, which takes a quoted score for 0",
    )
    polish: bool = Field(
        default=True, description="let the polisher model accept, mend or reject each question"
    )
    reader: bool = Field(
        default=True,
        description="let the reader model read each question that was accepted, in its final version, with "
        "its two quotes alone; a question that fails one of its checks is rejected",
    )
    evaluated: Literal["polished", "original", "both"] = Field(
        default="polished",
        description="which version of an accepted item is evaluated and released: the polished one; the one "
        "before; or both, the original as a kind of its own",
    )

    ablation: str = Field(
        default="",
        pattern=r"^((standard|diverse|diverse_zs|diverse_ft)( |$))*$",
        description="ways to find the second document that `hopweaver.ablation` compares, separated by "
        "spaces: standard, diverse, diverse_zs (with reranker_training.base), diverse_ft (with the trained "
        "one); empty: none",
    )
    ablation_documents: int = Field(
        default=100, ge=0, description="sources from which each of these makes questions; 0: all"
    )

    @field_validator("shared_names", mode="before")
    @classmethod
    def _former_switch(cls, value: object) -> object:
        """`shared_names` was true or false before it had names of its own."""
        former = {"true": "returned", "1": "returned", "false": "off", "0": "off"}
        return former.get(str(value).lower(), value)

    @property
    def kind_names(self) -> tuple[str, ...]:
        """The kinds, each once."""
        return tuple(dict.fromkeys(self.kinds.split()))

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The ways that are compared, each once."""
        return tuple(arm for arm in get_args(Arm) if arm in self.ablation.split())

    @property
    def needed_models(self) -> tuple[str, ...]:
        """The tasks whose models are asked."""
        if not self.kinds:
            return ()
        filters = ("filter",) if "comparison" in self.kind_names else ()
        polisher, reader = ("polisher",) * self.polish, ("reader",) * self.reader
        return ("hopweaver", *filters, *polisher, *reader)

    @property
    def searches_polished(self) -> bool:
        """Whether bridge questions that the polisher changed are searched for again."""
        return self.polish and self.question_rank > 0 and "bridge" in self.kind_names


class RerankerTrainingSettings(Section):
    """Training of a reranker on HopWeaver's candidates. Off while no base is named."""

    base: str = Field(
        default="",
        description="cross-encoder to train, a folder or a name on the hub (the paper: "
        "BAAI/bge-reranker-v2-m3); empty: no feedback is asked for, and nothing is trained",
    )
    recipe: Literal["paper", "readme"] = Field(
        default="paper",
        description="learning rate, epochs and groups per step: those of the authors' script (6e-5, 10, 8), "
        "or what their README advises (6e-6, 3, 16)",
    )
    learning_rate: float = Field(default=0, ge=0, description="learning rate; 0: the recipe's")
    epochs: float = Field(default=0, ge=0, description="epochs; 0: the recipe's")
    batch: int = Field(default=0, ge=0, description="groups per step of the optimiser; 0: the recipe's")
    group_size: int = Field(
        default=0, ge=0, description="documents that are compared, one of them a positive; 0: the recipe's"
    )
    held_out: float = Field(
        default=0.2, ge=0, lt=1, description="share of the queries that are ranked before and after, only"
    )

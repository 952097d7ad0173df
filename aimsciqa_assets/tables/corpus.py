"""Tables of the corpus: what was taken in, and the papers in it."""

from typing import get_args

from aimsciqa_assets.tables.table import BATCH, ID, PAPER, REASON, Column, Table
from aimsciqa_assets.tables.vocabulary import ArticleStatus, Retraction, SectionKind

SECTION_KINDS: tuple[str, ...] = get_args(SectionKind)
ARTICLE_STATUSES: tuple[str, ...] = get_args(ArticleStatus)
RETRACTIONS: tuple[str, ...] = get_args(Retraction)

CORPUS = (
    Table(
        "corpus.input_files",
        "a file that was ingested, or a document that was a line of one, and the paper batch it was put into",
        (
            Column("file_id", ID, "SHA-256 of its bytes; the name of a file in the file store"),
            Column(
                "file_name",
                "VARCHAR",
                "its path inside the ingested folder; of a document with the number of its line: a.jsonl:17",
            ),
            Column("bytes", "BIGINT", "its size"),
            BATCH,
            Column(
                "ingest",
                "INTEGER",
                "number of the ingest that brought it: batches of one ingest see each other",
            ),
            Column("paper_id", ID, "the paper it holds; null when it holds none", null=True),
            Column("duplicate_of", ID, "file_id of the file that is used for the same paper", null=True),
            Column("pmcid", "VARCHAR", "the PubMed Central article; null for files of a folder", null=True),
            Column("version", "INTEGER", "its version there", null=True),
            Column(
                "licence",
                "VARCHAR",
                "its licence according to PubMed Central; of any other file, what `ingest --licence` stated",
                null=True,
            ),
            Column("retracted", "BOOLEAN", "whether PubMed Central says that it was retracted", null=True),
            Column("retired", "VARCHAR", "why it is not used any more; null while it is used", null=True),
            Column(
                "shard",
                ID,
                "the part of the file store that holds the document; null for a file of its own",
                null=True,
            ),
            Column(
                "place", "INTEGER", "the document's place among the lines of the shard, from 0", null=True
            ),
            Column(
                "given_id",
                ID,
                "of a manuscript: the id of its paper, whatever ids stand in the file; else null",
                null=True,
            ),
            Column(
                "source", "VARCHAR", "jats or pdf; null for documents and where no paper was read", null=True
            ),
            Column(
                "keys",
                "VARCHAR[]",
                "ids of its paper, and title with first author and year: files that share one hold one paper",
                null=True,
            ),
        ),
        ("file_id",),
        by="",
    ),
    Table(
        "corpus.pmc_articles",
        "an article of PubMed Central, as it was when last looked at",
        (
            Column("pmcid", ID, "the article"),
            Column(
                "status",
                "VARCHAR",
                "in: it is in the corpus; otherwise why not. pending: found, but not fetched yet",
                values=ARTICLE_STATUSES,
            ),
            Column("version", "INTEGER", "its newest version; 0 when PubMed Central has none (any more)"),
            Column("licence", "VARCHAR", "its licence: CC BY, CC0, TDM, ...; empty when unknown"),
            Column("retracted", "BOOLEAN", "it was retracted"),
            Column("doi", "VARCHAR", "DOI; empty when unknown"),
            Column("pmid", "VARCHAR", "PubMed id; empty when unknown"),
            Column("title", "VARCHAR", "title"),
            Column("xml_md5", "VARCHAR", "MD5 of its JATS file"),
            Column("etag", "VARCHAR", "ETag of its metadata, which the daily inventory lists"),
            Column("file_id", ID, "its JATS file in the file store; null until it was fetched", null=True),
            Column(
                "wanted_licences", "VARCHAR[]", "licences that are accepted for it; an empty list accepts any"
            ),
            Column("looked_at", "VARCHAR", "when, ISO 8601, UTC"),
        ),
        ("pmcid",),
        by="",
    ),
    Table(
        "corpus.corrections",
        "a paper, and what a person corrected of it: it counts before what was read",
        (
            Column("paper_id", ID, "the paper"),
            BATCH,
            Column("title", "VARCHAR", "its title; null: as it was read", null=True),
            Column("licence", "VARCHAR", "its licence, as it was written; null: as it was read", null=True),
            Column(
                "doi", "VARCHAR", "its DOI, lower case, without resolver; null: as it was read", null=True
            ),
            Column("year", "INTEGER", "its year; null: as it was read", null=True),
        ),
        ("paper_id",),
    ),
    Table(
        "corpus.papers",
        "a paper",
        (
            Column(
                "paper_id",
                ID,
                "PMCID, else doi:..., else pmid:..., else file:<hash>; doc:<id> for a document; "
                "FORUM.initial or FORUM.final for a manuscript",
            ),
            BATCH,
            Column("source", "VARCHAR", "what it was read from", values=("jats", "pdf", "document")),
            Column("file_name", "VARCHAR", "the input file"),
            Column("content_hash", "VARCHAR", "SHA-256 of the input file, or of the document's line"),
            Column("pmcid", "VARCHAR", "PubMed Central id", null=True),
            Column("pmid", "VARCHAR", "PubMed id", null=True),
            Column("doi", "VARCHAR", "DOI, lower case, without resolver", null=True),
            Column("title", "VARCHAR", "title"),
            Column("abstract", "VARCHAR", "abstract; empty when there is none"),
            Column("journal", "VARCHAR", "journal"),
            Column("year", "INTEGER", "year of first publication", null=True),
            Column("published", "VARCHAR", "date of first publication as far as known, ISO"),
            Column("first_author", "VARCHAR", "surname of the first author"),
            Column(
                "article_type",
                "VARCHAR",
                "JATS article-type; evaluation: a document that is searched and read, and not asked about; "
                "manuscript: a version of a reviewed paper, which only SciDQA asks about",
            ),
            Column("language", "VARCHAR", "language of the article"),
            Column("licence", "VARCHAR", "licence, short: CC BY, CC0, ...; empty when unknown"),
            Column("licence_url", "VARCHAR", "URL of the licence text"),
            Column("url", "VARCHAR", "address of a document, as it came with it; empty for papers"),
            Column("retracted", "BOOLEAN", "it may not be relied on, for the reason in `retraction`"),
            Column(
                "retraction",
                "VARCHAR",
                "what happened to it, or of what it is the notice; null for a sound paper",
                null=True,
                values=RETRACTIONS,
            ),
            Column("has_full_text", "BOOLEAN", "it has paragraphs outside the abstract"),
            Column("repairs", "VARCHAR[]", "what was wrong with the file and was mended"),
            Column(
                "warnings",
                "VARCHAR[]",
                "what looks wrong in what was read: no abstract, title may be cut, ...",
            ),
            Column("title_key", "VARCHAR", "normalised title, for matching", null=True),
            Column("bibliographic_key", "VARCHAR", "surname|year|volume|page, for matching", null=True),
        ),
        ("paper_id",),
    ),
    Table(
        "corpus.sections",
        "a top-level section of a paper, or its abstract",
        (
            Column("section_id", ID, "hash of paper, position and title"),
            BATCH,
            PAPER,
            Column("position", "INTEGER", "order in the paper, from 0; the abstract comes first"),
            Column("title", "VARCHAR", "title as written; empty when there is none"),
            Column("kind", "VARCHAR", "what the section is for", values=SECTION_KINDS),
        ),
        ("section_id",),
    ),
    Table(
        "corpus.paragraphs",
        "a paragraph, as a person would read it",
        (
            Column("paragraph_id", ID, "hash of section, position and text"),
            BATCH,
            PAPER,
            Column("section_id", ID, "its section"),
            Column("position", "INTEGER", "order in the section, from 0"),
            Column("subsection", "VARCHAR", "path of titles below the section"),
            Column("text", "VARCHAR", "its text; evidence is quoted from here"),
        ),
        ("paragraph_id",),
    ),
    Table(
        "corpus.captions",
        "the caption of a table or figure, kept apart from the paragraphs",
        (
            Column("caption_id", ID, "hash of paper, position and text"),
            BATCH,
            PAPER,
            Column("section_id", ID, "the section it stands in, where known", null=True),
            Column("position", "INTEGER", "order in the paper, from 0"),
            Column("kind", "VARCHAR", "of what", values=("table", "figure")),
            Column("label", "VARCHAR", "label as written: Table 1"),
            Column("text", "VARCHAR", "the caption"),
        ),
        ("caption_id",),
    ),
    Table(
        "corpus.keywords",
        "a paper and one of its keywords",
        (
            BATCH,
            PAPER,
            Column("keyword", "VARCHAR", "normalised: lower case, folded plural and hyphens"),
            Column("as_written", "VARCHAR", "as the paper has it"),
            Column("origin", "VARCHAR", "who chose it", values=("author", "subject", "extracted")),
        ),
        ("paper_id", "keyword"),
    ),
    Table(
        "corpus.references",
        "an entry of a paper's bibliography",
        (
            Column("reference_id", ID, "hash of paper and key"),
            BATCH,
            PAPER,
            Column("key", "VARCHAR", "its id inside the paper"),
            Column("position", "INTEGER", "order in the bibliography, from 0"),
            Column("label", "VARCHAR", "label as written"),
            Column("text", "VARCHAR", "the entry as one line"),
            Column("title", "VARCHAR", "title of the cited work"),
            Column("first_author", "VARCHAR", "surname of its first author"),
            Column("year", "INTEGER", "year", null=True),
            Column("journal", "VARCHAR", "journal or book"),
            Column("volume", "VARCHAR", "volume"),
            Column("first_page", "VARCHAR", "first page or article number"),
            Column("doi", "VARCHAR", "DOI", null=True),
            Column("pmid", "VARCHAR", "PubMed id", null=True),
            Column("pmcid", "VARCHAR", "PubMed Central id", null=True),
            Column("title_key", "VARCHAR", "normalised title, for matching", null=True),
            Column("bibliographic_key", "VARCHAR", "surname|year|volume|page, for matching", null=True),
        ),
        ("reference_id",),
    ),
    Table(
        "corpus.citation_mentions",
        "a sentence that cites, with the references it names",
        (
            Column("mention_id", ID, "hash of paragraph and offsets"),
            BATCH,
            PAPER,
            Column("section_id", ID, "its section"),
            Column("paragraph_id", ID, "its paragraph"),
            Column("sentence_start", "INTEGER", "offset of the sentence in the paragraph, in characters"),
            Column("sentence_end", "INTEGER", "offset behind its last character"),
            Column("sentence", "VARCHAR", "the sentence"),
            Column("markers", "VARCHAR[]", "the markers as they stand"),
            Column("reference_ids", "VARCHAR[]", "every reference it names, each once"),
            Column("is_single", "BOOLEAN", "it names exactly one reference"),
        ),
        ("mention_id",),
    ),
    Table(
        "corpus.rejected_files",
        "an input file, or a line of documents, that did not become a paper, and why",
        (
            Column("file_id", ID, "SHA-256 of its bytes"),
            BATCH,
            Column("file_name", "VARCHAR", "as in `corpus.input_files`"),
            Column("rejection_reason", "VARCHAR", "short reason"),
            Column("detail", "VARCHAR", "more about it"),
        ),
        ("file_id",),
    ),
    Table(
        "corpus.pmc_ids",
        "an article in NLM's map of ids; the table is empty until `aimsciqa ids` loads the map",
        (
            Column("pmcid", ID, "PubMed Central id: PMC13901"),
            Column("doi", "VARCHAR", "DOI, lower case, without resolver", null=True),
            Column("pmid", "VARCHAR", "PubMed id", null=True),
        ),
        ("pmcid",),
        by="",
    ),
    Table(
        "corpus.citation_edges",
        "a paper of the corpus and another that it cites",
        (
            Column("citing_paper_id", ID, "the citing paper"),
            Column("cited_paper_id", ID, "the cited paper"),
            Column(
                "method",
                "VARCHAR",
                "how the reference was matched, the surest way first",
                values=("doi", "pmid", "pmcid", "title", "bibliographic"),
            ),
            Column("reference_ids", "VARCHAR[]", "the entries that name the cited paper"),
        ),
        ("citing_paper_id", "cited_paper_id"),
        by="",
    ),
    Table(
        "corpus.releasable_papers",
        "a paper, and whether what was made from it may be released; if not, why",
        (
            PAPER,
            Column("licence", "VARCHAR", "its licence; empty when unknown"),
            Column("releasable", "BOOLEAN", "its licence allows it, and it was not retracted"),
            REASON,
        ),
        ("paper_id",),
        by="",
    ),
    Table(
        "corpus.source_papers",
        "a paper, and whether it may be a source (AIM-SciQA, section 4.1); if not, why",
        (
            PAPER,
            Column("accessible_citations", "INTEGER", "different papers in scope that it cites"),
            Column("eligible", "BOOLEAN", "it may be a source"),
            REASON,
        ),
        ("paper_id",),
        by="",
    ),
    Table(
        "corpus.admitted_papers",
        "a paper that the method works on: all papers, or only the eligible ones (selection.corpus)",
        (PAPER,),
        ("paper_id",),
        by="",
    ),
)

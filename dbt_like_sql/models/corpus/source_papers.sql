-- One row: a paper, and whether it may be a source (AIM-SciQA, section 4.1); if not, why.
-- A citation is accessible when its reference leads to a paper of this corpus (selection.scope = corpus) or
-- to any article in PubMed Central (scope = pmc): it has a PMCID, or a DOI or PMID that NLM's map of ids knows.
-- Citations are counted once, not again without rejected papers.
with referenced as (
    select citing_paper_id as paper_id, unnest(reference_ids) as reference_id
    from corpus.citation_edges
),

accessible as (
    select paper_id, reference_id from referenced
    union
    select paper_id, reference_id from corpus.references
    where $selection__scope = 'pmc' and pmcid is not null
    union
    select paper_id, reference_id from corpus.references as entries
    semi join corpus.pmc_ids as articles on entries.doi = articles.doi
    where $selection__scope = 'pmc'
    union
    select paper_id, reference_id from corpus.references as entries
    semi join corpus.pmc_ids as articles on entries.pmid = articles.pmid
    where $selection__scope = 'pmc'
),

counted as (
    select
        papers.paper_id,
        papers.retracted,
        papers.has_full_text,
        papers.abstract != '' as has_abstract,
        (select count(*) from corpus.references where paper_id = papers.paper_id) as listed,
        (select count(*) from accessible where paper_id = papers.paper_id)::integer as accessible_citations
    from corpus.papers
),

judged as (
    select
        paper_id,
        accessible_citations,
        case
            when retracted then 'retracted'
            when not has_full_text then 'no_full_text'
            when not has_abstract then 'no_abstract'
            when listed = 0 then 'no_references'
            when accessible_citations < $selection__min_accessible_citations then 'too_few_accessible_citations'
        end as rejection_reason
    from counted
)

select paper_id, accessible_citations, rejection_reason is null as eligible, rejection_reason
from judged

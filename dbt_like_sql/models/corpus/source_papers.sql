-- One row: a paper, and whether it may be a source (AIM-SciQA, section 4.1); if not, why.
-- A citation is accessible when it leads to a paper of this corpus (selection.scope = corpus) or to any article
-- in PubMed Central (scope = pmc): a reference has a PMCID, or a DOI or PMID that NLM's map of ids knows. Two
-- references to one paper are one citation.
-- Citations are counted once, not again without rejected papers.
with referenced as (
    select cited_paper_id, unnest(reference_ids) as reference_id
    from corpus.citation_edges
),

by_doi as (
    select doi, min(pmcid) as pmcid
    from corpus.pmc_ids
    semi join corpus.references as entries on pmc_ids.doi = entries.doi
    where $selection__scope = 'pmc'
    group by doi
),

by_pmid as (
    select pmid, min(pmcid) as pmcid
    from corpus.pmc_ids
    semi join corpus.references as entries on pmc_ids.pmid = entries.pmid
    where $selection__scope = 'pmc'
    group by pmid
),

accessible as (
    select
        entries.paper_id,
        coalesce(
            referenced.cited_paper_id,
            if($selection__scope = 'pmc', coalesce(entries.pmcid, by_doi.pmcid, by_pmid.pmcid), null)
        ) as cited
    from corpus.references as entries
    left join referenced on entries.reference_id = referenced.reference_id
    left join by_doi on entries.doi = by_doi.doi
    left join by_pmid on entries.pmid = by_pmid.pmid
),

cited as (
    select paper_id, count(*) as listed, count(distinct cited)::integer as accessible_citations
    from accessible
    group by paper_id
),

judged as (
    select
        papers.paper_id,
        coalesce(cited.accessible_citations, 0) as accessible_citations,
        case
            when papers.article_type in ('evaluation', 'manuscript') then 'evaluation_only'
            when repeated.paper_id is not null then 'duplicate_paper'
            when papers.retracted then coalesce(papers.retraction, 'retracted')
            when not papers.has_full_text then 'no_full_text'
            when papers.abstract = '' then 'no_abstract'
            when cited.listed is null then 'no_references'
            when cited.accessible_citations < $selection__min_accessible_citations then 'too_few_accessible_citations'
        end as rejection_reason
    from corpus.papers
    left join cited on papers.paper_id = cited.paper_id
    left join shared_repeated_papers as repeated on papers.paper_id = repeated.paper_id
)

select paper_id, accessible_citations, rejection_reason is null as eligible, rejection_reason
from judged

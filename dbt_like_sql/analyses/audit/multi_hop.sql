-- One row: a sampled item with all that a person needs to rate it.
with others as (
    select
        clusters.relation_id,
        string_agg(papers.title, chr(10) order by clusters.position, clusters.paper_id) as titles
    from relations.clusters
    inner join corpus.papers on clusters.paper_id = papers.paper_id
    where clusters.role = 'distractor'
    group by clusters.relation_id
)

select
    items.item_id as subject_id,
    items.merged_question as question,
    items.merged_answer as answer,
    items.inter_document_question,
    items.inter_document_answer,
    items.retrieval_question,
    items.retrieval_answer,
    source.title as source_paper,
    source.paper_id as source_paper_id,
    source.pmcid as source_pmcid,
    source.doi as source_doi,
    source_pair.question as source_question,
    source_pair.answer as source_answer,
    source_pair.evidence as source_evidence,
    target.title as target_paper,
    target.paper_id as target_paper_id,
    target.pmcid as target_pmcid,
    target.doi as target_doi,
    target_pair.question as target_question,
    target_pair.answer as target_answer,
    target_pair.evidence as target_evidence,
    coalesce(others.titles, '') as other_papers
from multi_hop.items
inner join corpus.papers as source on items.source_paper_id = source.paper_id
inner join corpus.papers as target on items.target_paper_id = target.paper_id
inner join single_hop.qa_pairs as source_pair on items.core_source_qa_id = source_pair.qa_id
inner join single_hop.qa_pairs as target_pair on items.core_target_qa_id = target_pair.qa_id
left join others on items.relation_id = others.relation_id
where items.item_id in (select unnest($ids))

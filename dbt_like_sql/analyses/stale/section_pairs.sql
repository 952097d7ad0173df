-- Batches with a section pair whose QA pair is no longer kept (because its paper has a newer version, or was
-- withdrawn or retracted), or whose target the source no longer cites.
with usable as (
    select qa_id
    from single_hop.qa_pairs
    where status = 'kept' and paper_id not in (select paper_id from corpus.papers where retracted)
)

select pairs.batch
from relations.section_pairs as pairs
anti join usable on pairs.core_target_qa_id = usable.qa_id
union
select pairs.batch
from relations.section_pairs as pairs
anti join corpus.citation_edges as edges
    on pairs.source_paper_id = edges.citing_paper_id and pairs.target_paper_id = edges.cited_paper_id
where pairs.variant = 'cim'

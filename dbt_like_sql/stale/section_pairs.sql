-- Batches with a section pair that leads to a QA pair which is kept no more: its paper has a newer version, or
-- was withdrawn or retracted.
select distinct pairs.batch
from relations.section_pairs as pairs
anti join (
    select qa_id
    from single_hop.qa_pairs
    where status = 'kept' and paper_id not in (select paper_id from corpus.papers where retracted)
) as usable on pairs.core_target_qa_id = usable.qa_id

-- Batches with another fact whose QA pair is no longer kept, because its paper has a newer version.
select distinct facts.batch
from relations.other_facts as facts
anti join (
    select qa_id
    from single_hop.qa_pairs
    where status = 'kept' and paper_id not in (select paper_id from corpus.papers where retracted)
) as usable on facts.qa_id = usable.qa_id

-- Batches with a retrieval question whose QA pair is no longer kept, because its paper has a newer version.
select distinct questions.batch
from relations.retrieval_questions as questions
anti join (
    select qa_id
    from single_hop.qa_pairs
    where status = 'kept' and paper_id not in (select paper_id from corpus.papers where retracted)
) as usable on questions.qa_id = usable.qa_id

-- checks: relations.embeddings
-- Every kept pair has a question, an answer and a QA vector.
-- if it fails: the vectors of a batch are newer or older than its pairs. Materialize the single-hop tables
-- of that batch, or `aimsciqa run`; if that does not help, `aimsciqa reset --from single_hop --yes` before
-- it (no model is asked again).
select pairs.qa_id, count(embeddings.level) as levels
from single_hop.qa_pairs as pairs
left join relations.embeddings on pairs.qa_id = embeddings.qa_id
where pairs.status = 'kept'
group by pairs.qa_id
having count(embeddings.level) != 3

-- checks: single_hop.qa_pairs
-- A pair has a reason exactly when it was rejected.
-- if it fails: a pair was changed by hand, or the filter has an error. Run `aimsciqa reset --from
-- single_hop --yes`, then `aimsciqa run`: replies come from the journal, no model is asked again.
select qa_id, status, rejection_reason
from single_hop.qa_pairs
where (status = 'rejected') != (rejection_reason is not null)

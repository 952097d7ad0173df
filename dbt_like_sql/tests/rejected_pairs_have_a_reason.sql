-- checks: single_hop.qa_pairs
-- A pair has a reason exactly when it was rejected.
select qa_id, status, rejection_reason
from single_hop.qa_pairs
where (status = 'rejected') != (rejection_reason is not null)

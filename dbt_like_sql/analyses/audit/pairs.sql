-- One row: a QA pair with exact evidence that may be rated, and the side of the alignment filter it is on.
select qa_id as subject_id, status = 'kept' as is_kept
from single_hop.qa_pairs
where status = 'kept' or rejection_reason = 'low_alignment'

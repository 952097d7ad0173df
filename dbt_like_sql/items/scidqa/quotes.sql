-- One row: a passage of the manuscript that a model quoted for the answer to a question of a review.
select
    documents.qa_id as item_id,
    row_number() over (partition by documents.qa_id order by evidence.version, evidence.position) as position,
    documents.role,
    'support' as name,
    evidence.paragraph_id,
    evidence.evidence,
    evidence.evidence_start,
    evidence.evidence_end
from scidqa.documents as documents
inner join scidqa.evidence as evidence
    on documents.qa_id = evidence.qa_id and documents.paper_id = evidence.paper_id
where evidence.rejection_reason is null

-- One row: a document of a question of a review. The reader has the manuscript; the papers that the question cites are
-- named there, so that nobody searches for them.
select
    documents.qa_id as item_id,
    documents.position,
    documents.role,
    documents.paper_id,
    documents.role = 'manuscript' as in_hand,
    false as gold
from scidqa.documents as documents

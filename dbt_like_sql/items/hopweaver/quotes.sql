-- One row: the quote of a document on which an accepted item of HopWeaver rests.
select
    versions.version_id as item_id,
    evidence.position,
    evidence.role,
    evidence.name,
    evidence.question,
    evidence.answer,
    evidence.paragraph_id,
    evidence.evidence,
    evidence.evidence_start,
    evidence.evidence_end
from hopweaver.versions
inner join hopweaver.evidence on versions.item_id = evidence.item_id

-- One row: one of the two documents of an accepted item of HopWeaver. Both are to be retrieved.
select
    versions.version_id as item_id,
    evidence.position,
    evidence.role,
    evidence.paper_id,
    false as in_hand,
    true as gold
from hopweaver.versions
inner join hopweaver.evidence on versions.item_id = evidence.item_id

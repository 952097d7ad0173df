-- One row: a question that an accepted bridge question builds on. The answer to the first is the bridge entity, which
-- the second asks about. Comparisons have no such questions.
select
    versions.version_id as item_id,
    evidence.position,
    evidence.role,
    evidence.question,
    evidence.answer,
    case when evidence.position = 2 then items.entity_a end as bridge
from hopweaver.versions
inner join hopweaver.items on versions.item_id = items.item_id
inner join hopweaver.evidence on versions.item_id = evidence.item_id
where items.kind = 'bridge' and evidence.question is not null

-- One row: a supporting sentence of an accepted item of a published set; of MuSiQue, a supporting paragraph.
select
    items.item_id,
    evidence.position,
    evidence.role,
    'support' as name,
    evidence.paragraph_id,
    evidence.evidence,
    evidence.evidence_start,
    evidence.evidence_end
from baseline_sets.items
inner join baseline_sets.evidence on items.item_id = evidence.item_id
where items.status = 'accepted'

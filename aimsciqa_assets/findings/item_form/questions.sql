-- One row: an accepted question of Findings.
select
    items.item_id,
    'findings_' || items.type as variant,
    splits.split,
    items.question,
    items.answer,
    items.question as query,
    items.model,
    items.model_revision,
    items.prompt_version
from findings.items
left join findings.splits on items.item_id = splits.item_id
where items.status = 'accepted'

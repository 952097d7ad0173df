-- One row: an accepted item of a published set. It belongs to no development data of ours: all are in test.
select
    items.item_id,
    items.kind as variant,
    'test' as split,
    items.question,
    items.answer,
    items.question as query,
    steps.steps,
    items.set_name as model
from baseline_sets.items
left join (
    select
        item_id,
        list(
            {
                'name': 'hop_' || position,
                'title': 'Sub-question ' || position,
                'question': question,
                'answer': answer
            }
            order by position
        ) as steps
    from baseline_sets.hops
    group by item_id
) as steps on items.item_id = steps.item_id
where items.status = 'accepted'

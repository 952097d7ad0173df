-- One row: an accepted item of a published set. It belongs to no development data of ours: all are in test.
select
    item_id,
    kind as variant,
    'test' as split,
    question,
    answer,
    question as query,
    if(
        len(hops) > 0,
        list_transform(
            hops,
            lambda hop, place: {
                'name': 'hop_' || place,
                'title': 'Sub-question ' || place,
                'question': hop.question,
                'answer': hop.answer
            }
        ),
        null
    ) as steps,
    set_name as model
from baseline_sets.items
where status = 'accepted'

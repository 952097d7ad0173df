-- One row: a sub-question of an accepted item of a published set, where the set has them.
with told as (
    select item_id, unnest(hops) as hop, unnest(range(1, len(hops) + 1))::integer as position
    from baseline_sets.items
    where status = 'accepted'
)

select
    item_id,
    position,
    ['first', 'second', 'third', 'fourth'][hop.document] as role,
    hop.question,
    hop.answer,
    hop.bridge
from told

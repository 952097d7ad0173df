-- One row: a paper that an accepted question of Findings rests on. All are to be retrieved.
select
    item_id,
    row_number() over (partition by item_id order by min(position)) as position,
    role,
    paper_id,
    false as in_hand,
    true as gold
from findings.facts
group by item_id, role, paper_id

-- One row: the quote of a fact that an accepted answer states.
select
    item_id,
    row_number() over (partition by item_id order by position) as position,
    role,
    'core' as name,
    paragraph_id,
    evidence,
    evidence_start,
    evidence_end
from findings.facts

-- One row: an accepted item, and whether a model named its papers by their cards alone.
select
    item_id,
    agrees,
    reason
from findings.relabellings

-- One row: an item of a system that has its items relabelled, for the gate `relabelling`.
select item_id, agrees, reason
from item_relabellings
order by item_id

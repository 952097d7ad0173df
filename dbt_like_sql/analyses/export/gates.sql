-- One row: a released item before a quality gate.
select release_items.split || '/' || release_items.item_id as key, gates.gate, gates.verdict
from release.items as release_items
inner join benchmark.gates on release_items.item_id = gates.item_id
where release_items.released and key >= $first and key < $before
order by key, gates.gate

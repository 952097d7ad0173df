-- One row: what the answer of a released item says that follows from its facts.
select computations.* exclude (form)
from release.items as items
inner join item_computations as computations on items.item_id = computations.item_id
where items.released
order by items.split, items.item_id, computations.position

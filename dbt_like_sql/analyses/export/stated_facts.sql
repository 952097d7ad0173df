-- One row: a fact that the answer of a released item states.
select facts.* exclude (form)
from release.items as items
inner join item_stated_facts as facts on items.item_id = facts.item_id
where items.released
order by items.split, items.item_id, facts.position

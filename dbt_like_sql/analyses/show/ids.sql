-- One row: an item whose id begins with $id, an accepted or a rejected one.
select item_id from multi_hop.items where starts_with(item_id, $id)
union
select item_id from item_questions where starts_with(item_id, $id)
order by item_id
limit 20

-- One row: an item that was made from a text of others whose licence does not allow to pass it on, as release.items has
-- it, or is not decided on yet.
select distinct texts.item_id
from item_texts as texts
left join release.items as release_items on texts.item_id = release_items.item_id
where release_items.item_id is null or contains(release_items.rejection_reason, '_text_')

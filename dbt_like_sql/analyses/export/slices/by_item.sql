-- One row: the first key of a slice of so many released items.
select key
from (
    select split || '/' || item_id as key, row_number() over (order by split, item_id) as place
    from release.items
    where released
)
where (place - 1) % $rows = 0
order by key

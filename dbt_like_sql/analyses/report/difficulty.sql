-- One row: a cell of difficulty with its items.
select variant, cell, count(*) as items
from quality.difficulty
group by variant, cell
order by variant desc, items desc, cell

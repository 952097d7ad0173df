-- One row: a table with the rows of all its parts.
select
    table_name as "table",
    sum("rows") as number
from ops.materializations
group by all
order by all

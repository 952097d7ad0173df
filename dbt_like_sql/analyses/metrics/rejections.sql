-- One row: a table and a reason for which rows of it were rejected, with their number.
select
    table_name as "table",
    rejection_reason as reason,
    sum("rows") as number
from ops.rejections
group by all
order by all

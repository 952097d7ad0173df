-- One row: a table and one of its twelve most frequent reasons for rejection; the others are one row.
with numbered as (
    select
        table_name,
        rejection_reason,
        rows,
        row_number() over (partition by table_name order by rows desc, rejection_reason) as place
    from ops.rejections
)

select
    table_name,
    if(place <= 12, rejection_reason, 'other reasons') as reason,
    sum(rows)::bigint as rows
from numbered
group by table_name, reason, place > 12
order by table_name, bool_or(place > 12), rows desc, reason

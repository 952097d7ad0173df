-- One row: a reason for which rows were rejected on the way, with their number.
select table_name, rejection_reason, rows
from ops.rejections
order by all

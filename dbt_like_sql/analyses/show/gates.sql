-- One row: the verdict of a quality gate on an item.
select gate, verdict, detail from benchmark.gates where item_id = $id order by gate

-- One row: what an accepted answer says that follows from its facts.
select item_id, position, expression, result, unit, query
from findings.computations

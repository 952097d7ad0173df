-- One row: a fact that an accepted answer states.
select
    item_id,
    position,
    paper_id,
    statement,
    value,
    value_text,
    unit,
    low,
    high,
    paragraph_id,
    evidence,
    evidence_start,
    evidence_end
from findings.facts

-- One row: a stretch of text that is said to stand in a paragraph.
select item_id as id, paper_id, paragraph_id, evidence as quote, evidence_start as begins, evidence_end as ends
from evidence
union all
select qa_id, paper_id, paragraph_id, evidence, evidence_start, evidence_end
from single_hop
union all
select item_id, quoted.paper_id, quoted.paragraph_id, quoted.quote, quoted.begins, quoted.ends
from (select item_id, unnest(other_quotes) as quoted from items)
union all
select item_id, paper_id, paragraph_id, evidence, evidence_start, evidence_end
from stated_facts

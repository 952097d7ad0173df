-- One row: a stretch of text that is said to stand in a paragraph.
select item_id as id, paper_id, qa.paragraph_id as paragraph_id, qa.evidence as quote, qa.evidence_start as begins, qa.evidence_end as ends
from evidence
union all
select qa_id, paper_id, paragraph_id, evidence, evidence_start, evidence_end
from single_hop
union all
select item_id, source.paper_id, citation.paragraph_id, citation.sentence, citation.sentence_start, citation.sentence_end
from (select item_id, source, unnest(citations) as citation from multi_hop)

-- plots: single_hop.qa_pairs
-- Questions of the batch by kind of section, kept and rejected.
select sections.kind, count(*) as rows, pairs.status
from single_hop.qa_pairs as pairs
inner join corpus.sections on pairs.section_id = sections.section_id
where pairs.batch = $batch
group by sections.kind, pairs.status
order by pairs.status, count(*) desc, sections.kind

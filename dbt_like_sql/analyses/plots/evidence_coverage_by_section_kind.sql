-- plots: benchmark.evidence_coverage
-- Sentences by kind of section: those of which kept QA pairs quote at least half, and the others.
with counted as (
    select kind, sum(evidence_sentences) as evidence, sum(sentences) as sentences
    from benchmark.evidence_coverage
    group by kind
)

select kind, evidence::bigint as rows, 'evidence' as sentences
from counted
union all
select kind, (sentences - evidence)::bigint, 'not evidence'
from counted
order by sentences, rows desc, kind

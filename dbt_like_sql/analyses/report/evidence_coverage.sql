-- One row: a kind of section, and which share of its sentences is evidence of a kept QA pair: the mean over
-- sections, as the paper's audit has it, and all sentences together.
select
    kind,
    count(*) as sections,
    sum(sentences)::bigint as sentences,
    sum(evidence_sentences)::bigint as evidence_sentences,
    avg(coverage) as coverage
from benchmark.evidence_coverage
group by kind
order by coverage desc, kind

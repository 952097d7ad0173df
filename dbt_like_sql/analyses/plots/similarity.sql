-- plots: single_hop.similarities
-- Pairs of the batch by the cosine of the question with answer and evidence.
with similarities as (
    select 'with answer' as compared, question_answer_similarity as cosine
    from single_hop.similarities
    where batch = $batch
    union all
    select 'with evidence', question_evidence_similarity
    from single_hop.similarities
    where batch = $batch
)

select round(floor(cosine / 0.05) * 0.05, 2) as cosine, count(*) as rows, compared
from similarities
group by all
order by compared, cosine

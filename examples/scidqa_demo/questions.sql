-- One row: an accepted question, the version that its answer is about, and whether each version answers it.
select
    pairs.question,
    pairs.answer,
    pairs.version,
    max(found.verdict) filter (where manuscripts.version = 'initial') as from_initial,
    max(found.verdict) filter (where manuscripts.version = 'final') as from_final
from scidqa.qa_pairs as pairs
left join scidqa.manuscripts as manuscripts on pairs.forum_id = manuscripts.forum_id
left join scidqa.answerability as found
    on pairs.qa_id = found.qa_id and manuscripts.paper_id = found.paper_id
where pairs.status = 'accepted'
group by all
order by pairs.version, pairs.question

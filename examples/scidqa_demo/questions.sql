-- One row: an accepted question with the authors' answer, the version of the manuscript that this is about, whether
-- each version answers the question, and the answers of a model that is shown nothing, title and abstract, three
-- passages, or the whole text.
with verdicts as (
    select
        pairs.qa_id,
        max(found.verdict) filter (where manuscripts.version = 'initial') as from_initial,
        max(found.verdict) filter (where manuscripts.version = 'final') as from_final
    from scidqa.qa_pairs as pairs
    inner join scidqa.manuscripts as manuscripts on pairs.forum_id = manuscripts.forum_id
    inner join scidqa.answerability as found
        on pairs.qa_id = found.qa_id and manuscripts.paper_id = found.paper_id
    group by pairs.qa_id
),

answers as (
    select
        item_id as qa_id,
        max(coalesce(prediction, rejection_reason)) filter (where setting = 'closed_book') as closed_book,
        max(coalesce(prediction, rejection_reason)) filter (where setting = 'title_abstract') as title_abstract,
        max(coalesce(prediction, rejection_reason)) filter (where setting = 'passages') as passages,
        max(coalesce(prediction, rejection_reason)) filter (where setting = 'segments') as full_text
    from benchmark.answers
    group by item_id
)

select
    pairs.question,
    pairs.answer as authors,
    pairs.version,
    verdicts.from_initial,
    verdicts.from_final,
    answers.closed_book,
    answers.title_abstract,
    answers.passages,
    answers.full_text
from scidqa.qa_pairs as pairs
left join verdicts on pairs.qa_id = verdicts.qa_id
left join answers on pairs.qa_id = answers.qa_id
where pairs.status = 'accepted'
order by pairs.version, pairs.question

-- One row: an answer to a released item that counts, with its measures and the scores of its judges; by
-- answerers that were asked all of these items that are evaluated. It is withheld where the model read a paper
-- whose text may not be released: its words may be those of that paper.
with asked as (
    select release_items.item_id
    from release.items as release_items
    inner join benchmark.queries on release_items.item_id = queries.item_id
    where release_items.released
),

answered as (
    select answers.*
    from benchmark.answers
    inner join asked on answers.item_id = asked.item_id
),

complete as (
    select answerer
    from answered
    where setting = 'oracle'
    group by answerer
    having count(*) = (select count(*) from asked)
),

judged as (
    select answer_id, list({ 'judge': judge, 'kind': kind, 'score': score } order by judge) as judgements
    from benchmark.judgements
    where score is not null
    group by answer_id
)

select
    answered.answerer,
    answered.setting,
    answered.item_id,
    answered.prediction,
    answered.prediction is not null
    and answered.setting in ('realistic', 'citation')
    and not coalesce(releasable.releasable, false) as withheld,
    answered.exact_match,
    answered.token_f1,
    answered.rouge_l,
    answered.bert_score,
    answered.found_target::double as found_target,
    coalesce(judged.judgements, []) as judgements
from answered
inner join complete on answered.answerer = complete.answerer
left join judged on answered.answer_id = judged.answer_id
left join corpus.releasable_papers as releasable on answered.read_paper_id = releasable.paper_id
where answered.token_f1 is not null
order by answered.answerer, answered.setting, answered.item_id

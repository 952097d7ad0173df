-- One row: an answer to a released item that was asked for, with its measures and the scores of its judges. One
-- that could not be given counts as 0, and so does one whose judge's reply could not be read. It is withheld
-- where the model read a paper whose text may not be released: its words may be those of that paper. Answers to an
-- item that reviewers edited are left out, because the models were asked the original words.
with judged as (
    select
        answer_id,
        list({ 'judge': judge, 'kind': kind, 'score': coalesce(score, 0) } order by judge) as judgements
    from benchmark.judgements
    where coalesce(rejection_reason, '') <> 'same_family'
    group by answer_id
),

by_facts as (
    select
        answer_id,
        list({ 'judge': judge, 'recall': fact_recall } order by judge) filter (where fact_recall is not null) as recalls,
        max(fact_precision) as fact_precision
    from benchmark.fact_scores
    group by answer_id
),

shown_by_rag as (
    select answer_id, unnest(papers) as paper_id
    from benchmark.rag_steps
    where kind <> 'search'
),

-- An answer of a RAG baseline: whether all papers that it read may be released.
read_by_rag as (
    select shown.answer_id, bool_and(coalesce(papers.releasable, false)) as releasable
    from shown_by_rag as shown
    left join corpus.releasable_papers as papers on shown.paper_id = papers.paper_id
    group by shown.answer_id
)

select
    answers.answerer,
    answers.setting,
    answers.item_id,
    answers.prediction,
    answers.prediction is not null
    and case
        when answers.setting in ('realistic', 'citation')
            -- Without an id it read several papers that a retriever found, or, behind a marker, none.
            then not coalesce(
                releasable.releasable, answers.read_paper_id is null and answers.setting = 'citation'
            )
        when starts_with(answers.setting, 'rag_') then not coalesce(read_by_rag.releasable, true)
        else false
    end as withheld,
    answers.exact_match,
    answers.token_f1,
    answers.rouge_l,
    if(
        max(answers.bert_score) over (partition by answers.answerer) is null,
        null,
        coalesce(answers.bert_score, 0)
    ) as bert_score,
    if(
        answers.setting in ('realistic', 'citation') or starts_with(answers.setting, 'rag_'),
        coalesce(answers.found_target::double, 0),
        null
    ) as found_target,
    coalesce(judged.judgements, []) as judgements,
    coalesce(by_facts.recalls, []) as recalls,
    by_facts.fact_precision
from benchmark.answers
inner join release.items as release_items on answers.item_id = release_items.item_id
inner join benchmark.queries on answers.item_id = queries.item_id
left join benchmark.review_decisions as reviews on answers.item_id = reviews.item_id
left join judged on answers.answer_id = judged.answer_id
left join by_facts on answers.answer_id = by_facts.answer_id
left join corpus.releasable_papers as releasable on answers.read_paper_id = releasable.paper_id
left join read_by_rag on answers.answer_id = read_by_rag.answer_id
where
    release_items.released
    and coalesce(answers.rejection_reason, '') not in ('no_ranking', 'not_recorded', 'no_model')
    and coalesce(reviews.question, reviews.answer) is null
order by answers.answerer, answers.setting, answers.item_id

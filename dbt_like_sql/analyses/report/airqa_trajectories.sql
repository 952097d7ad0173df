-- One row: the way of a run of AirQA to an answer: the first repetition, of some examples, the same of all runs.
-- Observations hold what papers say: without the right to pass on every paper of the store, they are left out.
with shown as (
    select example_id
    from (select distinct example_id from airqa.answers where repeat = 1)
    order by md5(example_id)
    limit (
        select greatest(1, 96 // greatest(1, count(distinct run_id)::integer)) from airqa.answers
    )
),

withheld as (
    select count(*) as papers
    from airqa.store as store
    where store.uuid not in (
        select papers.uuid
        from airqa.papers as papers
        join corpus.releasable_papers as releasable on papers.paper_id = releasable.paper_id
        where releasable.releasable and papers.uuid is not null
    )
),

turns as (
    select
        turns.run_id,
        turns.example_id,
        list(
            {
                'turn': turns.turn,
                'thought': turns.thought,
                'action': turns.action,
                'arguments': turns.arguments,
                'reply': case when turns.action is null then turns.reply end,
                'observation': case
                    when withheld.papers = 0 or turns.error is not null then left(turns.observation, 5000)
                end,
                'withheld': withheld.papers > 0 and turns.error is null and turns.observation is not null,
                'error': turns.error,
                'has_image': turns.has_image
            }
            order by turns.turn
        ) as turns
    from airqa.turns as turns, withheld
    where turns.repeat = 1 and turns.example_id in (from shown)
    group by turns.run_id, turns.example_id
),

labels as (
    select run_id, example_id, list(label order by label) as labels
    from airqa.labels
    where repeat = 1
    group by run_id, example_id
)

select
    answers.run_id,
    answers.example_id,
    examples.question,
    examples.tags,
    examples.evaluator,
    answers.status,
    -- When the turns ran out, the answer is an observation.
    case when answers.status != 'out_of_turns' or withheld.papers = 0 then answers.answer end as answer,
    answers.reason,
    runs.model,
    verdicts.score,
    verdicts.judge,
    verdicts.stand_in,
    verdicts.reason as no_verdict,
    coalesce(labels.labels, []) as labels,
    coalesce(turns.turns, []) as turns
from airqa.answers as answers
join airqa.runs as runs on answers.run_id = runs.run_id and answers.repeat = runs.repeat
join airqa.examples as examples on answers.example_id = examples.example_id
cross join withheld
left join airqa.verdicts as verdicts
    on answers.run_id = verdicts.run_id
    and answers.repeat = verdicts.repeat
    and answers.example_id = verdicts.example_id
left join turns on answers.run_id = turns.run_id and answers.example_id = turns.example_id
left join labels on answers.run_id = labels.run_id and answers.example_id = labels.example_id
where answers.repeat = 1 and answers.example_id in (from shown)
order by md5(answers.example_id), answers.run_id

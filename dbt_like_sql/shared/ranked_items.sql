-- One row: an item, accepted or not, and its place in the one ranking of all items, the best first. An item is good
-- when reviewers accepted it, when it failed few quality gates and passed many, when people, then judges, rated it
-- high, and when its relation is strong. `facts` are the same for items about the same two facts: whoever lists
-- items puts the best one of each before the second ones of all.
with composed as (
    select
        items.item_id,
        items.status,
        items.rejection_reason,
        [items.source_paper_id, items.target_paper_id] as papers,
        concat_ws(
            ' ',
            least(items.core_source_qa_id, items.core_target_qa_id),
            greatest(items.core_source_qa_id, items.core_target_qa_id)
        ) as facts,
        relations.strength
    from multi_hop.items
    left join relations.candidate_relations as relations on items.relation_id = relations.relation_id
    union all
    select
        questions.item_id,
        'accepted',
        null,
        list(documents.paper_id order by documents.position),
        questions.item_id,
        null
    from item_questions as questions
    inner join item_documents as documents on questions.item_id = documents.item_id
    where questions.form != 'multi_hop'
    group by questions.item_id
),

gates as (
    select
        item_id,
        count(*) filter (where verdict = 'pass') as gates_passed,
        count(*) filter (where verdict = 'fail') as gates_failed,
        coalesce(list(gate order by gate) filter (where verdict = 'fail'), []) as failed_gates
    from benchmark.gates
    group by item_id
),

by_people as (
    -- Scales end at 1 or at 5.
    select subject_id as item_id, avg(score / if(at_most > 1, 5, 1)) as rated_by_people
    from (select *, max(score) over (partition by kind, criterion) as at_most from benchmark.audit_ratings)
    where kind != 'single_hop'
    group by subject_id
),

by_judges as (
    -- A judge without a verdict of the rule counts.
    select ratings.item_id, avg(ratings.score) / 5 as rated_by_judges
    from benchmark.ratings as ratings
    left join benchmark.judge_choice as choice on ratings.judge = choice.judge
    where ratings.score is not null and ratings.dimension != 'multi_hop' and coalesce(choice.counts, true)
    group by ratings.item_id
),

by_reviewers as (
    select item_id, decision, score / 5 as rated_by_reviewers
    from benchmark.review_decisions
)

select
    composed.*,
    gates.gates_passed,
    gates.gates_failed,
    gates.failed_gates,
    by_people.rated_by_people,
    by_judges.rated_by_judges,
    row_number() over (
        order by
            list_position(['accepted', 'open', 'disputed', 'rejected'], coalesce(by_reviewers.decision, 'open')),
            coalesce(gates.gates_failed, 0),
            coalesce(gates.gates_passed, 0) desc,
            coalesce(by_reviewers.rated_by_reviewers, by_people.rated_by_people) desc nulls last,
            by_judges.rated_by_judges desc nulls last,
            composed.strength desc nulls last,
            composed.item_id
    ) as place
from composed
left join gates on composed.item_id = gates.item_id
left join by_people on composed.item_id = by_people.item_id
left join by_judges on composed.item_id = by_judges.item_id
left join by_reviewers on composed.item_id = by_reviewers.item_id

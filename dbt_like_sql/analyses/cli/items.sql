-- One row: an item that fits what is asked for, the best first. An item is good when it failed few quality gates
-- and passed many, when people, then judges, rated it high, and when its relation is strong. Of items about the
-- same two facts, the best one stands before the second ones of all.
with composed as (
    select
        items.item_id,
        items.variant,
        items.status,
        items.rejection_reason,
        items.merged_question as question,
        items.merged_answer as answer,
        [items.source_paper_id, items.target_paper_id] as papers,
        concat_ws(
            ' ',
            least(items.core_source_qa_id, items.core_target_qa_id),
            greatest(items.core_source_qa_id, items.core_target_qa_id)
        ) as facts,
        relations.strength,
        items.model
    from multi_hop.items
    left join relations.candidate_relations as relations on items.relation_id = relations.relation_id
    union all
    select
        questions.item_id,
        questions.variant,
        'accepted',
        null,
        questions.question,
        questions.answer,
        list(documents.paper_id order by documents.position),
        questions.item_id,
        null,
        any_value(questions.model)
    from item_questions as questions
    inner join item_documents as documents on questions.item_id = documents.item_id
    where questions.item_id not in (select item_id from multi_hop.items)
    group by questions.item_id, questions.variant, questions.question, questions.answer
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
    select subject_id as item_id, avg(score / if(score_at_most > 1, 5, 1)) as rated_by_people
    from (select *, max(score) over (partition by kind, criterion) as score_at_most from benchmark.audit_ratings)
    where kind != 'single_hop'
    group by subject_id
),

by_judges as (
    select item_id, avg(score) / 5 as rated_by_judges
    from benchmark.ratings
    where score is not null and dimension != 'multi_hop'
    group by item_id
),

splits as (
    select item_id, any_value(split) as split
    from item_questions
    group by item_id
),

found as (
    select
        composed.*,
        splits.split,
        gates.gates_passed,
        gates.gates_failed,
        gates.failed_gates,
        by_people.rated_by_people,
        by_judges.rated_by_judges,
        released.released,
        released.rejection_reason as why_not_released,
        row_number() over (
            order by
                composed.status = 'accepted' desc,
                coalesce(gates.gates_failed, 0),
                coalesce(gates.gates_passed, 0) desc,
                by_people.rated_by_people desc nulls last,
                by_judges.rated_by_judges desc nulls last,
                composed.strength desc nulls last,
                composed.item_id
        ) as place
    from composed
    left join splits on composed.item_id = splits.item_id
    left join gates on composed.item_id = gates.item_id
    left join by_people on composed.item_id = by_people.item_id
    left join by_judges on composed.item_id = by_judges.item_id
    left join release.items as released on composed.item_id = released.item_id
    where
        ($status = '' or composed.status = $status)
        and ($reason = '' or starts_with(coalesce(composed.rejection_reason, ''), $reason))
        and ($variant = '' or composed.variant = $variant)
        and ($split = '' or splits.split = $split)
        and ($gate = '' or list_contains(gates.failed_gates, $gate))
        and ($paper = '' or list_contains(composed.papers, $paper))
        and (
            $text = ''
            or contains(lower(concat_ws(' ', composed.question, composed.answer)), lower($text))
        )
),

ordered as (
    select
        found.*,
        count(*) over () as fitting,
        row_number() over (partition by status, facts order by place) as of_its_facts
    from found
    order by of_its_facts, place
    limit $most
),

titles as (
    select ordered.item_id, list(coalesce(papers.title, used.paper_id) order by used.position) as titles
    from ordered
    cross join unnest(ordered.papers) with ordinality as used (paper_id, position)
    left join corpus.papers as papers on used.paper_id = papers.paper_id
    group by ordered.item_id
)

select ordered.* exclude (place, facts, of_its_facts), titles.titles
from ordered
inner join titles on ordered.item_id = titles.item_id
order by ordered.of_its_facts, ordered.place

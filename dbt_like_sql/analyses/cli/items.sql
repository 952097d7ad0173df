-- One row: an item that fits what is asked for, the best first by shared/ranked_items.sql. Of items about the same
-- two facts, the best one stands before the second ones of all.
with texts as (
    select item_id, variant, merged_question as question, merged_answer as answer, model
    from multi_hop.items
    union all
    select item_id, variant, question, answer, model
    from item_questions
    where form != 'multi_hop'
),

splits as (
    select item_id, any_value(split) as split
    from item_questions
    group by item_id
),

found as (
    select
        ranked.item_id,
        texts.variant,
        ranked.status,
        ranked.rejection_reason,
        texts.question,
        texts.answer,
        ranked.papers,
        ranked.facts,
        ranked.strength,
        texts.model,
        splits.split,
        ranked.gates_passed,
        ranked.gates_failed,
        ranked.failed_gates,
        ranked.rated_by_people,
        ranked.rated_by_judges,
        reviews.decision as review,
        reviews.question is not null or reviews.answer is not null as edited,
        released.released,
        released.rejection_reason as why_not_released,
        ranked.place
    from shared_ranked_items as ranked
    inner join texts on ranked.item_id = texts.item_id
    left join splits on ranked.item_id = splits.item_id
    left join release.items as released on ranked.item_id = released.item_id
    left join benchmark.review_decisions as reviews on ranked.item_id = reviews.item_id
    where
        ($status = '' or ranked.status = $status)
        and ($reason = '' or starts_with(coalesce(ranked.rejection_reason, ''), $reason))
        and ($variant = '' or texts.variant = $variant)
        and ($split = '' or splits.split = $split)
        and ($gate = '' or list_contains(ranked.failed_gates, $gate))
        and ($paper = '' or list_contains(ranked.papers, $paper))
        and (
            $text = ''
            or contains(lower(concat_ws(' ', texts.question, texts.answer)), lower($text))
        )
),

ordered as (
    select
        found.*,
        count(*) over () as fitting,
        row_number() over (partition by status, facts order by place) as of_its_facts
    from found
    order by of_its_facts, status = 'accepted' desc, place
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
order by ordered.of_its_facts, ordered.status = 'accepted' desc, ordered.place

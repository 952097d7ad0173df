-- One row: an item, accepted or not, as the list of the report has it, the best first. Accepted ones stand before
-- the others, those whose papers may all be passed on before the rest; then the ranking of shared/ranked_items.sql
-- decides. Of items about the same two facts, the best one stands before the second ones of all.
with used as (
    select item_id, unnest(papers) as paper_id, unnest(range(len(papers))) as position
    from shared_ranked_items
),

may_be_shown as (
    select used.item_id, bool_and(coalesce(passed_on.releasable, false) and withheld.item_id is null) as shown
    from used
    left join shared_withheld_items as withheld on used.item_id = withheld.item_id
    left join corpus.releasable_papers as passed_on on used.paper_id = passed_on.paper_id
    group by used.item_id
),

-- Few columns, and the others of the listed ones afterwards: items may be a million.
listed as (
    select
        ranked.*,
        may_be_shown.shown,
        count(*) over () as all_items,
        row_number() over (
            partition by ranked.status, may_be_shown.shown, ranked.facts
            order by ranked.place
        ) as of_its_facts
    from shared_ranked_items as ranked
    left join may_be_shown on ranked.item_id = may_be_shown.item_id
    order by ranked.status = 'accepted' desc, may_be_shown.shown desc, of_its_facts, ranked.place
    limit $most
),

texts as (
    select
        item_id,
        variant,
        merged_question as question,
        merged_answer as answer,
        [retrieval_question, retrieval_answer, inter_document_question, inter_document_answer] as others,
        list_filter(
            [
                if(fluency = 'reject', 'fluency', null),
                if(completeness = 'reject', 'completeness', null),
                if(cross_reference_necessity = 'reject', 'cross_reference_necessity', null),
                if(relational_appropriateness = 'reject', 'relational_appropriateness', null)
            ],
            lambda name: name is not null
        ) as rejecting
    from multi_hop.items
    where item_id in (select item_id from listed)
    union all
    select
        item_id,
        variant,
        question,
        answer,
        flatten(list_transform(coalesce(steps, []), lambda step: [step.question, step.answer])),
        list_transform(
            list_filter(coalesce(verdicts, []), lambda verdict: verdict.verdict = 'reject'), lambda verdict: verdict.name
        )
    from item_questions
    where form != 'multi_hop' and item_id in (select item_id from listed)
),

titles as (
    select used.item_id, list(coalesce(papers.title, used.paper_id) order by used.position) as titles
    from used
    inner join listed on used.item_id = listed.item_id
    left join corpus.papers as papers on used.paper_id = papers.paper_id
    group by used.item_id
),

splits as (
    select item_id, any_value(split) as split
    from item_questions
    group by item_id
)

select
    listed.item_id,
    texts.variant,
    splits.split,
    listed.status,
    coalesce(listed.rejection_reason, release_items.rejection_reason) as reason,
    coalesce(release_items.released, false) as released,
    listed.shown,
    if(listed.shown, coalesce(reviews.question, texts.question), null) as question,
    if(listed.shown, coalesce(reviews.answer, texts.answer), null) as answer,
    if(listed.shown, texts.others, []) as others,
    titles.titles,
    texts.rejecting,
    if(listed.shown, listed.failed_gates, []) as failed_gates,
    reviews.decision as review,
    listed.all_items
from listed
inner join texts on listed.item_id = texts.item_id
inner join titles on listed.item_id = titles.item_id
left join splits on listed.item_id = splits.item_id
left join benchmark.review_decisions as reviews on listed.item_id = reviews.item_id
left join release.items as release_items on listed.item_id = release_items.item_id
order by listed.status = 'accepted' desc, listed.shown desc, listed.of_its_facts, listed.place

-- One row: an item, accepted or not, as the list of the report has it, the best first. Accepted ones stand before
-- the others, those whose papers may all be passed on before the rest. Then an item is good when reviewers accepted
-- it, when it failed few quality gates and passed many, when people, then judges, rated it high, and when its
-- relation is strong. Of items about the same two facts, the best one stands before the second ones of all.
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

used as (
    select item_id, unnest(papers) as paper_id, unnest(range(len(papers))) as position
    from composed
),

may_be_shown as (
    select used.item_id, bool_and(coalesce(passed_on.releasable, false)) as shown
    from used
    left join corpus.releasable_papers as passed_on on used.paper_id = passed_on.paper_id
    group by used.item_id
),

gates as (
    select
        item_id,
        count(*) filter (where verdict = 'pass') as passed,
        coalesce(list(gate order by gate) filter (where verdict = 'fail'), []) as failed
    from benchmark.gates
    group by item_id
),

by_people as (
    -- Scales end at 1 or at 5.
    select subject_id as item_id, avg(score / if(at_most > 1, 5, 1)) as rated
    from (select *, max(score) over (partition by kind, criterion) as at_most from benchmark.audit_ratings)
    where kind != 'single_hop'
    group by subject_id
),

by_judges as (
    select item_id, avg(score) / 5 as rated
    from benchmark.ratings
    where score is not null and dimension != 'multi_hop'
    group by item_id
),

ranked as (
    select
        composed.*,
        may_be_shown.shown,
        row_number() over (
            order by
                composed.status = 'accepted' desc,
                may_be_shown.shown desc,
                list_position(['accepted', 'open', 'disputed', 'rejected'], coalesce(reviews.decision, 'open')),
                len(coalesce(gates.failed, [])),
                coalesce(gates.passed, 0) desc,
                coalesce(reviews.score / 5, by_people.rated) desc nulls last,
                by_judges.rated desc nulls last,
                composed.strength desc nulls last,
                composed.item_id
        ) as place
    from composed
    left join may_be_shown on composed.item_id = may_be_shown.item_id
    left join benchmark.review_decisions as reviews on composed.item_id = reviews.item_id
    left join gates on composed.item_id = gates.item_id
    left join by_people on composed.item_id = by_people.item_id
    left join by_judges on composed.item_id = by_judges.item_id
),

-- Few columns, and the others of the listed ones afterwards: items may be a million.
listed as (
    select
        *,
        count(*) over () as all_items,
        row_number() over (partition by status, shown, facts order by place) as of_its_facts
    from ranked
    order by status = 'accepted' desc, shown desc, of_its_facts, place
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
    if(listed.shown, gates.failed, []) as failed_gates,
    reviews.decision as review,
    listed.all_items
from listed
inner join texts on listed.item_id = texts.item_id
inner join titles on listed.item_id = titles.item_id
left join splits on listed.item_id = splits.item_id
left join gates on listed.item_id = gates.item_id
left join benchmark.review_decisions as reviews on listed.item_id = reviews.item_id
left join release.items as release_items on listed.item_id = release_items.item_id
order by listed.status = 'accepted' desc, listed.shown desc, listed.of_its_facts, listed.place

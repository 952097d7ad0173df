-- One row: an item with a split, and whether it may be released; if not, why: a document that is there for
-- evaluation only, as manuscripts and those of published sets are, the licence of one of its documents, a quality gate of settings.release.gates that it failed, what its reviewers decided, or that it
-- leaks into test. A dev item does that when it shares with a released test item, of any kind, a paper in hand,
-- all papers, or, with multi_hop.kept_apart = evidence, a sentence of evidence. The splits of AIM-SciQA leave
-- nothing to be found.
with described as (
    select
        documents.item_id,
        if(count(*) filter (where documents.in_hand) = 1, any_value(documents.paper_id) filter (where documents.in_hand), null)
            as source_paper_id,
        if(count(*) filter (where documents.gold) = 1, any_value(documents.paper_id) filter (where documents.gold), null)
            as target_paper_id,
        list_sort(list(distinct documents.paper_id)) as papers,
        list(documents.paper_id) filter (where documents.in_hand) as in_hand,
        arg_min(
            documents.role || '_' || if(releasable.paper_id is null, 'gone', releasable.rejection_reason),
            documents.position
        ) filter (where not coalesce(releasable.releasable, false)) as reason,
        coalesce(bool_or(papers.article_type in ('evaluation', 'manuscript')), false) as for_evaluation
    from item_documents as documents
    left join corpus.releasable_papers as releasable on documents.paper_id = releasable.paper_id
    left join corpus.papers on documents.paper_id = papers.paper_id
    group by documents.item_id
),

failed as (
    select item_id, min(gate) as gate
    from benchmark.gates
    where verdict = 'fail' and gate in (select unnest(string_split($release__gates, ' ')))
    group by item_id
),

judged as (
    select
        questions.item_id,
        questions.variant,
        questions.split,
        described.source_paper_id,
        described.target_paper_id,
        described.papers,
        described.in_hand,
        coalesce(
            if(described.for_evaluation, 'evaluation_only', null),
            described.reason,
            'failed_' || failed.gate,
            case
                when reviews.decision in ('rejected', 'disputed') then reviews.decision || '_in_review'
                when $release__reviewed_only and reviews.decision is distinct from 'accepted'
                    then 'not_accepted_in_review'
            end
        ) as reason
    from item_questions as questions
    inner join described on questions.item_id = described.item_id
    left join failed on questions.item_id = failed.item_id
    left join benchmark.review_decisions as reviews on questions.item_id = reviews.item_id
    where questions.split is not null
),

candidates as (
    select * from judged where reason is null
),

evidence as (
    select candidates.item_id, candidates.split, quotes.paragraph_id, quotes.evidence_start, quotes.evidence_end
    from candidates
    inner join item_quotes as quotes on candidates.item_id = quotes.item_id
),

in_hand as (
    select item_id, split, unnest(in_hand) as paper_id
    from candidates
),

leaking as (
    select dev.item_id
    from evidence as dev
    inner join evidence as test
        on
            dev.paragraph_id = test.paragraph_id
            and dev.evidence_start < test.evidence_end
            and test.evidence_start < dev.evidence_end
    where dev.split = 'dev' and test.split = 'test' and $multi_hop__kept_apart = 'evidence'
    union
    select item_id
    from in_hand
    where split = 'dev' and paper_id in (select paper_id from in_hand where split = 'test')
    union
    select item_id
    from candidates
    where split = 'dev' and papers in (select papers from candidates where split = 'test')
),

decided as (
    select
        judged.*,
        coalesce(judged.reason, case when leaking.item_id is not null then 'leaks_into_test' end) as rejection_reason
    from judged
    left join leaking on judged.item_id = leaking.item_id
)

select
    item_id,
    variant,
    split,
    source_paper_id,
    target_paper_id,
    rejection_reason is null as released,
    rejection_reason
from decided

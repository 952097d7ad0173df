-- One row: an item with a split, and whether it may be released; if not, why: a document that is there for
-- evaluation only, as those of published sets are, the licence of one of its documents or of a text that it was made
-- from, a quality gate of settings.release.gates that it failed, what its reviewers decided, or that it leaks into
-- test. A dev item does that when it shares with a test item of the release, of any kind, a paper in hand, all papers,
-- or, with multi_hop.kept_apart = evidence, a sentence of evidence. The splits of AIM-SciQA leave nothing to be found.
-- Where nothing but a licence is in the way of an item that was made from texts of others, the release says where these
-- stand (place_only).
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
        bool_and(
            releasable.paper_id is not null
            and coalesce(releasable.rejection_reason, '') not in ('retracted', 'withdrawn', 'expression_of_concern')
        ) as to_be_had,
        coalesce(bool_or(papers.article_type = 'evaluation'), false) as for_evaluation
    from item_documents as documents
    left join corpus.releasable_papers as releasable on documents.paper_id = releasable.paper_id
    left join corpus.papers on documents.paper_id = papers.paper_id
    group by documents.item_id
),

texts as (
    select
        item_id,
        bool_and(readable) as to_be_had,
        arg_min(name || '_text_' || reason, position) filter (where reason is not null) as reason
    from (
        select
            texts.*,
            case
                when not texts.readable then 'gone'
                when $release__any_licence then null
                when known.licence is null then 'licence_unknown'
                else known.rejection_reason
            end as reason
        from item_texts as texts
        left join shared_licences as known on texts.licence = known.licence
    )
    group by item_id
),

failed as (
    select item_id, min(gate) as gate
    from benchmark.gates
    where verdict = 'fail' and gate in (select unnest(string_split($release__gates, ' ')))
    group by item_id
),

fates as (
    select
        questions.item_id,
        questions.variant,
        questions.split,
        described.source_paper_id,
        described.target_paper_id,
        described.papers,
        described.in_hand,
        if(described.for_evaluation, 'evaluation_only', null) as use,
        coalesce(described.reason, texts.reason) as licence,
        described.to_be_had and coalesce(texts.to_be_had, false) as to_be_had,
        coalesce(
            'failed_' || failed.gate,
            case
                when reviews.decision in ('rejected', 'disputed') then reviews.decision || '_in_review'
                when $release__reviewed_only and reviews.decision is distinct from 'accepted'
                    then 'not_accepted_in_review'
            end
        ) as quality
    from item_questions as questions
    inner join described on questions.item_id = described.item_id
    left join texts on questions.item_id = texts.item_id
    left join failed on questions.item_id = failed.item_id
    left join benchmark.review_decisions as reviews on questions.item_id = reviews.item_id
    where questions.split is not null
),

judged as (
    select
        *,
        coalesce(use, licence, quality) as reason,
        use is null and licence is not null and to_be_had and quality is null as place_only
    from fates
),

candidates as (
    select * from judged where reason is null or place_only
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
        leaking.item_id is not null as leaks,
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
    place_only and not leaks as place_only,
    rejection_reason
from decided

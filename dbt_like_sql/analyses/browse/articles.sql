-- One row: an item of those asked for, accepted or not, with its papers, evidence, ranks, answers and reviews. Of a
-- paper that may not be passed on, nothing but its title is read.
with passed_on as (
    select paper_id, releasable, rejection_reason from corpus.releasable_papers
),

rejected as (
    select * from multi_hop.items where status != 'accepted' and item_id in (select unnest($ids::varchar[]))
),

composed as (
    select
        item_id,
        variant,
        split,
        'accepted' as status,
        null as rejection_reason,
        question,
        answer,
        steps,
        verdicts,
        model
    from item_questions
    where item_id in (select unnest($ids::varchar[]))
    union all
    select
        item_id,
        variant,
        null,
        status,
        rejection_reason,
        merged_question,
        merged_answer,
        [
            {
                'name': 'retrieval',
                'title': 'Step 1: find the paper',
                'question': retrieval_question,
                'answer': retrieval_answer
            },
            {
                'name': 'inter_document',
                'title': 'Step 2: compare',
                'question': inter_document_question,
                'answer': inter_document_answer
            }
        ],
        [
            {'name': 'fluency', 'verdict': fluency},
            {'name': 'completeness', 'verdict': completeness},
            {'name': 'cross_reference_necessity', 'verdict': cross_reference_necessity},
            {'name': 'relational_appropriateness', 'verdict': relational_appropriateness}
        ],
        model
    from rejected
),

documents as (
    select item_id, position, role, paper_id
    from item_documents
    where item_id in (select unnest($ids::varchar[]))
    union all
    select
        item_id,
        unnest([1, 2]),
        unnest(['source', 'target']),
        unnest([source_paper_id, target_paper_id])
    from rejected
),

may_be_shown as (
    select documents.item_id, bool_and(coalesce(passed_on.releasable, false) and withheld.item_id is null) as shown
    from documents
    left join shared_withheld_items as withheld on documents.item_id = withheld.item_id
    left join passed_on on documents.paper_id = passed_on.paper_id
    group by documents.item_id
),

drawn as (
    select composed.*, may_be_shown.shown
    from composed
    inner join may_be_shown on composed.item_id = may_be_shown.item_id
),

used as (
    select
        item_id,
        unnest([1, 2, 3]) as position,
        unnest(['source', 'target', 'target']) as role,
        unnest(['core', 'core', 'retrieval']) as name,
        unnest([core_source_qa_id, core_target_qa_id, retrieval_qa_id]) as quote_id
    from rejected
),

quotes as (
    select item_id, position, role, name, question, answer, paragraph_id, evidence_start, evidence_end
    from item_quotes
    where item_id in (select unnest($ids::varchar[]))
    union all
    select
        used.item_id,
        used.position,
        used.role,
        used.name,
        pairs.question,
        pairs.answer,
        pairs.paragraph_id,
        pairs.evidence_start,
        pairs.evidence_end
    from used
    inner join single_hop.qa_pairs as pairs on used.quote_id = pairs.qa_id
),

evidence as (
    select
        quotes.item_id,
        list(
            {
                'side': quotes.role,
                'role': quotes.name,
                'question': quotes.question,
                'answer': quotes.answer,
                'start': quotes.evidence_start,
                'end': quotes.evidence_end,
                'section': sections.title,
                'kind': sections.kind,
                'subsection': paragraphs.subsection,
                'paragraph_id': paragraphs.paragraph_id,
                'text': paragraphs.text
            }
            order by quotes.position
        ) as evidence
    from quotes
    inner join documents on quotes.item_id = documents.item_id and quotes.role = documents.role
    inner join passed_on on documents.paper_id = passed_on.paper_id and passed_on.releasable
    inner join corpus.paragraphs on quotes.paragraph_id = paragraphs.paragraph_id
    inner join corpus.sections on paragraphs.section_id = sections.section_id
    group by quotes.item_id
),

ranks as (
    select
        item_id,
        list({'retriever': retriever, 'rank': rank, 'candidates': candidates} order by rank, retriever) as ranks
    from benchmark.rankings
    where setting = 'cluster' and item_id in (select item_id from drawn)
    group by item_id
),

judged as (
    select answer_id, list({'judge': judge, 'score': score} order by kind desc, judge) as judged
    from benchmark.judgements
    where item_id in (select item_id from drawn)
    group by answer_id
),

predictions as (
    select
        answers.*,
        -- What was retrieved in place of several gold papers is not told: such an answer is not shown.
        coalesce(
            passed_on.releasable,
            answers.read_paper_id is null and (answers.setting = 'oracle' or answers.prediction is null)
        ) as may_be_shown
    from benchmark.answers
    left join passed_on on answers.read_paper_id = passed_on.paper_id
    where answers.setting in ('oracle', 'realistic') and answers.item_id in (select item_id from drawn)
),

answers as (
    select
        predictions.item_id,
        list(
            {
                'answerer': predictions.answerer,
                'setting': predictions.setting,
                'prediction': if(predictions.may_be_shown, predictions.prediction, null),
                'reason': if(predictions.may_be_shown, predictions.rejection_reason, 'it read a paper that may not be passed on'),
                'found_target': predictions.found_target,
                'token_f1': predictions.token_f1,
                'judged': judged.judged
            }
            order by predictions.setting, predictions.answerer
        ) as answers
    from predictions
    left join judged on predictions.answer_id = judged.answer_id
    group by predictions.item_id
),

gates as (
    select item_id, list({'gate': gate, 'verdict': verdict, 'detail': detail} order by gate) as gates
    from benchmark.gates
    where item_id in (select item_id from drawn)
    group by item_id
),

reviews as (
    select
        reviews.item_id,
        list(
            {
                'reviewer': reviews.reviewer,
                'reviewed_at': reviews.reviewed_at,
                'decision': reviews.decision,
                'question': reviews.question,
                'answer': reviews.answer,
                'score': reviews.score,
                'note': reviews.note
            }
            order by reviews.reviewed_at
        ) as reviews
    from (
        select *
        from benchmark.reviews
        where item_id in (select unnest($ids::varchar[]))
        qualify row_number() over (partition by item_id, reviewer order by reviewed_at desc, number desc) = 1
    ) as reviews
    inner join drawn
        on
            reviews.item_id = drawn.item_id
            and reviews.of_question = drawn.question
            and reviews.of_answer = drawn.answer
    group by reviews.item_id
),

papers as (
    select
        documents.item_id,
        list(
            {
                'side': documents.role,
                'paper_id': papers.paper_id,
                'title': papers.title,
                'journal': papers.journal,
                'year': papers.year,
                'doi': papers.doi,
                'pmcid': papers.pmcid,
                'licence': papers.licence,
                'releasable': coalesce(passed_on.releasable, false),
                'reason': passed_on.rejection_reason
            }
            order by documents.position
        ) as papers
    from documents
    inner join corpus.papers on documents.paper_id = papers.paper_id
    left join passed_on on papers.paper_id = passed_on.paper_id
    group by documents.item_id
)

select
    drawn.item_id,
    drawn.variant,
    drawn.split,
    drawn.model,
    drawn.status,
    drawn.rejection_reason,
    release_items.rejection_reason as why_not_released,
    drawn.shown,
    if(drawn.shown, drawn.question, null) as question,
    if(drawn.shown, drawn.answer, null) as answer,
    if(drawn.shown, drawn.steps, null) as steps,
    drawn.verdicts,
    papers.papers,
    evidence.evidence,
    ranks.ranks,
    if(drawn.shown, answers.answers, null) as answers,
    if(drawn.shown, gates.gates, null) as gates,
    if(drawn.shown, reviews.reviews, null) as reviews,
    if(drawn.shown, decisions.question, null) as edited_question,
    if(drawn.shown, decisions.answer, null) as edited_answer,
    decisions.decision as review
from drawn
left join papers on drawn.item_id = papers.item_id
left join evidence on drawn.item_id = evidence.item_id
left join ranks on drawn.item_id = ranks.item_id
left join answers on drawn.item_id = answers.item_id
left join gates on drawn.item_id = gates.item_id
left join reviews on drawn.item_id = reviews.item_id
left join benchmark.review_decisions as decisions on drawn.item_id = decisions.item_id
left join release.items as release_items on drawn.item_id = release_items.item_id
order by drawn.item_id

-- One row: one of twenty accepted items with its papers, evidence, ranks and answers. They are drawn by the
-- hash of their id, from both variants in turn, those first of which both papers may be passed on. Of a paper
-- that may not, nothing but its title is read.
with passed_on as (
    select paper_id, releasable, rejection_reason from corpus.releasable_papers
),

-- Few columns, and the others of twenty items afterwards: items may be a million.
chosen as (
    select
        items.item_id,
        coalesce(source.releasable, false) as source_releasable,
        coalesce(target.releasable, false) as target_releasable,
        source_releasable and target_releasable as shown,
        row_number() over (
            partition by items.variant, shown
            order by md5(items.item_id), items.item_id
        ) as place
    from multi_hop.items
    left join passed_on as source on items.source_paper_id = source.paper_id
    left join passed_on as target on items.target_paper_id = target.paper_id
    where items.status = 'accepted'
    order by shown desc, place, items.variant desc
    limit 20
),

drawn as (
    select items.*, splits.split, chosen.* exclude (item_id)
    from chosen
    inner join multi_hop.items on chosen.item_id = items.item_id
    left join multi_hop.splits on chosen.item_id = splits.item_id
),

roles as (
    select item_id, 'source' as side, 'core' as role, core_source_qa_id as qa_id from drawn where source_releasable
    union all
    select item_id, 'target', 'core', core_target_qa_id from drawn where target_releasable
    union all
    select item_id, 'target', 'retrieval', retrieval_qa_id from drawn where target_releasable
),

evidence as (
    select
        roles.item_id,
        list(
            {
                'side': roles.side,
                'role': roles.role,
                'question': pairs.question,
                'answer': pairs.answer,
                'start': pairs.evidence_start,
                'end': pairs.evidence_end,
                'section': sections.title,
                'kind': sections.kind,
                'subsection': paragraphs.subsection,
                'paragraph_id': paragraphs.paragraph_id,
                'text': paragraphs.text
            }
            order by roles.side, roles.role
        ) as evidence
    from roles
    inner join single_hop.qa_pairs as pairs on roles.qa_id = pairs.qa_id
    inner join corpus.paragraphs on pairs.paragraph_id = paragraphs.paragraph_id
    inner join corpus.sections on paragraphs.section_id = sections.section_id
    group by roles.item_id
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
        answers.read_paper_id is null or coalesce(passed_on.releasable, false) as may_be_shown
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

papers as (
    select
        papers.paper_id,
        {
            'paper_id': papers.paper_id,
            'title': papers.title,
            'journal': papers.journal,
            'year': papers.year,
            'doi': papers.doi,
            'pmcid': papers.pmcid,
            'licence': papers.licence,
            'releasable': coalesce(passed_on.releasable, false),
            'reason': passed_on.rejection_reason
        } as paper
    from corpus.papers
    left join passed_on on papers.paper_id = passed_on.paper_id
    where
        papers.paper_id in (select source_paper_id from drawn)
        or papers.paper_id in (select target_paper_id from drawn)
)

select
    drawn.item_id,
    drawn.variant,
    drawn.split,
    drawn.model,
    drawn.shown,
    if(drawn.shown, drawn.merged_question, null) as question,
    if(drawn.shown, drawn.merged_answer, null) as answer,
    if(drawn.shown, drawn.retrieval_question, null) as retrieval_question,
    if(drawn.shown, drawn.retrieval_answer, null) as retrieval_answer,
    if(drawn.shown, drawn.inter_document_question, null) as inter_document_question,
    if(drawn.shown, drawn.inter_document_answer, null) as inter_document_answer,
    drawn.fluency,
    drawn.completeness,
    drawn.cross_reference_necessity,
    drawn.relational_appropriateness,
    source.paper as source,
    target.paper as target,
    evidence.evidence,
    ranks.ranks,
    if(drawn.shown, answers.answers, null) as answers,
    if(drawn.shown, gates.gates, null) as gates
from drawn
left join papers as source on drawn.source_paper_id = source.paper_id
left join papers as target on drawn.target_paper_id = target.paper_id
left join evidence on drawn.item_id = evidence.item_id
left join ranks on drawn.item_id = ranks.item_id
left join answers on drawn.item_id = answers.item_id
left join gates on drawn.item_id = gates.item_id
order by drawn.shown desc, drawn.place, drawn.variant desc

-- One row: one of twenty items with its papers, evidence, ranks and answers. They are drawn by the hash of
-- their id, from all kinds in turn, those first of which all papers may be passed on. Of a paper that may not,
-- nothing but its title is read.
with passed_on as (
    select paper_id, releasable, rejection_reason from corpus.releasable_papers
),

may_be_shown as (
    select documents.item_id, bool_and(coalesce(passed_on.releasable, false)) as shown
    from item_documents as documents
    left join passed_on on documents.paper_id = passed_on.paper_id
    group by documents.item_id
),

-- Few columns, and the others of twenty items afterwards: items may be a million.
chosen as (
    select
        questions.item_id,
        may_be_shown.shown,
        row_number() over (
            partition by questions.variant, may_be_shown.shown
            order by md5(questions.item_id), questions.item_id
        ) as place
    from item_questions as questions
    inner join may_be_shown on questions.item_id = may_be_shown.item_id
    order by may_be_shown.shown desc, place, questions.variant desc
    limit 20
),

drawn as (
    select questions.*, chosen.* exclude (item_id)
    from chosen
    inner join item_questions as questions on chosen.item_id = questions.item_id
),

documents as (
    select documents.*
    from item_documents as documents
    semi join drawn on documents.item_id = drawn.item_id
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
    from item_quotes as quotes
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
    drawn.shown,
    if(drawn.shown, drawn.question, null) as question,
    if(drawn.shown, drawn.answer, null) as answer,
    if(drawn.shown, drawn.steps, null) as steps,
    drawn.verdicts,
    papers.papers,
    evidence.evidence,
    ranks.ranks,
    if(drawn.shown, answers.answers, null) as answers,
    if(drawn.shown, gates.gates, null) as gates
from drawn
left join papers on drawn.item_id = papers.item_id
left join evidence on drawn.item_id = evidence.item_id
left join ranks on drawn.item_id = ranks.item_id
left join answers on drawn.item_id = answers.item_id
left join gates on drawn.item_id = gates.item_id
order by drawn.shown desc, drawn.place, drawn.variant desc

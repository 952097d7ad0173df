-- One row: a kept QA pair of one of $papers, and the row number of its vector of $level. Pairs of retracted
-- papers are left out. $batches are those that hold the pairs.
with wanted as (
    select unnest($papers::varchar[]) as paper_id
    except
    select paper_id
    from corpus.papers
    where retracted
)

select
    embeddings.rowid as row,
    embeddings.paper_id,
    embeddings.section_id,
    embeddings.qa_id
from relations.embeddings as embeddings
semi join wanted on embeddings.paper_id = wanted.paper_id
semi join (
    select qa_id
    from single_hop.qa_pairs
    where status = 'kept' and batch in (select unnest($batches::varchar[]))
) as kept on embeddings.qa_id = kept.qa_id
where
    embeddings.level = $level
    and embeddings.batch in (select unnest($batches::varchar[]))
    and embeddings.encoder = $encoder
    and embeddings.encoder_revision = $revision

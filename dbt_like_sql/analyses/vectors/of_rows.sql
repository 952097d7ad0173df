-- One row: the vector of a row number in $rows, which are rows of $batches and $level.
select
    embeddings.rowid as row,
    embeddings.vector
from relations.embeddings as embeddings
semi join (
    select unnest($rows::bigint[]) as row
) as wanted on embeddings.rowid = wanted.row
where embeddings.level = $level and embeddings.batch in (select unnest($batches::varchar[]))

-- One row: a vector, of those that stand at $rows in the table.
select
    embeddings.rowid as row,
    embeddings.vector
from relations.embeddings as embeddings
semi join (
    select unnest($rows::bigint[]) as row
) as wanted on embeddings.rowid = wanted.row

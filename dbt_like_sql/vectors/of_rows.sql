-- One row: a vector, of those from one place in the table to another.
select
    rowid as row,
    vector
from relations.embeddings
where rowid between $lowest and $highest

-- One row: a paper that is another row of the corpus already. Papers with one DOI, or with one title, first author and
-- year, are one paper: the one from JATS counts, then the one with the smaller id. An ingest takes each paper once; the
-- corpora of earlier versions, and corrections by hand, may say otherwise. Versions of manuscripts are papers of their
-- own.
with keys as (
    select
        paper_id,
        source,
        unnest([
            'doi|' || doi,
            -- A PDF may have the whole name of the author.
            title_key || '|' || nullif(regexp_extract(strip_accents(lower(first_author)), '\S+$'), '') || '|' || year
        ]) as key
    from corpus.papers
    where source <> 'document' and article_type is distinct from 'manuscript'
)

select distinct paper_id
from (
    select paper_id
    from keys
    where key is not null
    qualify row_number() over (partition by key order by source <> 'jats', paper_id) > 1
)

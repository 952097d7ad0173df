-- One row: a paper of the corpus that cites another one.
--
-- A reference is matched by DOI, PMID, PMCID, normalised title, then surname + year + volume + first page
-- (aimsciqa_assets/reading/matching.py); the first of these that leads to a paper counts, so that a reference
-- names at most one paper. A key that two papers of the corpus share matches neither. Equal titles count only
-- when the years, where both are known, are at most two apart: a work may appear online before it is printed,
-- but yearly reports repeat their titles.
-- `method` is the surest way in which any of the pair's references was matched.
with paper_keys as (
    select method, key, any_value(paper_id) as paper_id, any_value(year) as year
    from (
        select
            paper_id,
            year,
            unnest([1, 2, 3, 4, 5]) as method,
            unnest([doi, pmid, pmcid, title_key, bibliographic_key]) as key
        from corpus.papers
    )
    where key <> ''
    group by method, key
    having count(*) = 1
),

reference_keys as (
    select
        reference_id,
        paper_id,
        year,
        unnest([1, 2, 3, 4, 5]) as method,
        unnest([doi, pmid, pmcid, title_key, bibliographic_key]) as key
    from corpus.references
),

matches as (
    select
        reference_keys.reference_id,
        any_value(reference_keys.paper_id) as citing_paper_id,
        arg_min(paper_keys.paper_id, method) as cited_paper_id,
        min(method) as method
    from reference_keys
    inner join paper_keys using (method, key)
    where method <> 4 or coalesce(abs(reference_keys.year - paper_keys.year), 0) <= 2
    group by reference_keys.reference_id
)

select
    citing_paper_id,
    cited_paper_id,
    ['doi', 'pmid', 'pmcid', 'title', 'bibliographic'][min(method)] as method,
    list(reference_id order by reference_id) as reference_ids
from matches
where citing_paper_id <> cited_paper_id
group by citing_paper_id, cited_paper_id

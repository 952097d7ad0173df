-- One row: a paper of the corpus that cites another one.
--
-- A reference is matched by DOI, PMID, PMCID, normalised title, then surname + year + volume + first page
-- (aimsciqa_assets/reading/matching.py); the first of these that leads to a paper counts, so that a reference
-- names at most one paper. A key that two papers of the corpus share matches neither. Equal titles count only
-- when the years, where both are known, are at most two apart: a work may appear online before it is printed,
-- but yearly reports repeat their titles.
-- Last, surname + volume + first page count in spite of another year, when the title or the journal bears
-- them out and no id speaks against them; `matching.py` explains this rule. A DOI alone
-- does not, if the titles agree.
-- An id may be wrong. One that leads to the citing paper itself does not count, and one that leads to a paper of
-- another title counts if nothing else leads to a paper.
-- Manuscripts cite, and are not cited here: both versions share their keys with the paper that was published.
-- `method` is the surest way in which any of the pair's references was matched.
with papers as (
    select *, regexp_replace(bibliographic_key, '\|-?[0-9]+\|', '|') as place_key
    from corpus.papers
    where article_type is distinct from 'manuscript'
),

paper_keys as (
    select
        method,
        key,
        any_value(paper_id) as paper_id,
        any_value(year) as year,
        any_value(title_key) as title_key
    from (
        select
            paper_id,
            year,
            title_key,
            unnest([1, 2, 3, 4, 5]) as method,
            unnest([doi, pmid, pmcid, title_key, bibliographic_key]) as key
        from papers
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
        -- A bare source stands in the place of the title where an entry has no title.
        if(journal <> '', title_key, null) as title_key,
        unnest([1, 2, 3, 4, 5]) as method,
        unnest([doi, pmid, pmcid, title_key, bibliographic_key]) as key
    from corpus.references
),

same_place as (
    select
        named.reference_id,
        named.paper_id as citing_paper_id,
        cited.paper_id as cited_paper_id,
        abs(named.year - cited.year) as years_apart,
        coalesce(named.doi = cited.doi, true) as dois_agree,
        named.journal <> '' and named.title_key is not null and cited.title_key is not null as both_titled,
        levenshtein(named.title_key, cited.title_key) * 5 <= length(cited.title_key)
        or starts_with(cited.title_key, named.title_key)
        or starts_with(named.title_key, cited.title_key)
        or contains(regexp_replace(strip_accents(lower(named.text)), '[^a-z0-9]', '', 'g'), cited.title_key)
            as titles_agree,
        regexp_extract(
            strip_accents(lower(coalesce(nullif(named.journal, ''), named.title, ''))), '^(the )?([a-z]+)', 2
        ) as named_journal,
        regexp_extract(strip_accents(lower(coalesce(cited.journal, ''))), '^(the )?([a-z]+)', 2) as cited_journal
    from corpus.references as named
    inner join papers as cited on regexp_replace(named.bibliographic_key, '\|-?[0-9]+\|', '|') = cited.place_key
    where
        named.paper_id <> cited.paper_id
        and coalesce(named.pmid = cited.pmid, true)
        and coalesce(named.pmcid = cited.pmcid, true)
        -- "May 29, 2017" reads like a volume and a page.
        and not ends_with(cited.place_key, '|' || named.year)
    -- Of two papers at the same place, nothing tells which one is meant.
    qualify count(*) over (partition by named.reference_id) = 1
),

matches as (
    select
        reference_keys.reference_id,
        reference_keys.paper_id as citing_paper_id,
        paper_keys.paper_id as cited_paper_id,
        method,
        method <= 3
        and coalesce(
            reference_keys.title_key <> paper_keys.title_key
            and levenshtein(reference_keys.title_key, paper_keys.title_key) * 2
            > greatest(length(reference_keys.title_key), length(paper_keys.title_key)),
            false
        ) as doubtful
    from reference_keys
    inner join paper_keys using (method, key)
    where
        reference_keys.paper_id <> paper_keys.paper_id
        and (method <> 4 or coalesce(abs(reference_keys.year - paper_keys.year), 0) <= 2)
    union all
    select reference_id, citing_paper_id, cited_paper_id, 6 as method, false as doubtful
    from same_place
    where
        coalesce(titles_agree, false)
        or (
            not both_titled
            and dois_agree
            and years_apart <= 2
            and named_journal <> ''
            and cited_journal <> ''
            and (starts_with(named_journal, cited_journal) or starts_with(cited_journal, named_journal))
        )
),

first_matches as (
    select
        reference_id,
        any_value(citing_paper_id) as citing_paper_id,
        arg_min(cited_paper_id, (doubtful, method)) as cited_paper_id,
        arg_min(method, (doubtful, method)) as method
    from matches
    group by reference_id
)

select
    citing_paper_id,
    cited_paper_id,
    ['doi', 'pmid', 'pmcid', 'title', 'bibliographic', 'bibliographic'][min(method)] as method,
    list(reference_id order by reference_id) as reference_ids
from first_matches
group by citing_paper_id, cited_paper_id

-- One row: an accepted question that cites another paper of the corpus, which is its second document.
-- A version of the manuscript cites that paper (corpus.citation_edges), or the paper is the newest version of another
-- manuscript with the title of the reference. The pair names the reference where its texts hold the reference's title,
-- or its first author and, closely behind, its year. A paper with the DOI or the title of the manuscript is that
-- manuscript, and no second document.
with newest as (
    select forum_id, arg_min(paper_id, version) as paper_id
    from scidqa.manuscripts
    group by forum_id
),

of_corpus as (
    select citing_paper_id, cited_paper_id as paper_id, unnest(reference_ids) as reference_id
    from corpus.citation_edges
),

of_manuscripts as (
    select entries.paper_id as citing_paper_id, papers.paper_id, entries.reference_id
    from corpus.references as entries
    inner join corpus.papers as papers on entries.title_key = papers.title_key
    inner join newest on papers.paper_id = newest.paper_id
    where
        not exists (
            select 1
            from scidqa.manuscripts as own
            where own.paper_id = entries.paper_id and own.forum_id = newest.forum_id
        )
),

citing as (
    select manuscripts.forum_id, manuscripts.version, found.*
    from scidqa.manuscripts as manuscripts
    inner join (
        select * from of_corpus
        union
        select * from of_manuscripts
    ) as found on manuscripts.paper_id = found.citing_paper_id
    left join corpus.papers as own on found.citing_paper_id = own.paper_id
    left join corpus.papers as second on found.paper_id = second.paper_id
    where not coalesce(own.doi = second.doi, false) and not coalesce(own.title_key = second.title_key, false)
),

texts as (
    select qa_id, forum_id, unnest(['question', 'answer']) as cited_in, unnest([question, answer]) as text
    from scidqa.qa_pairs
    where status = 'accepted'
    union all
    select qa_id, forum_id, 'reference', cited_references
    from scidqa.qa_pairs
    where status = 'accepted'
),

named as (
    select texts.qa_id, texts.forum_id, citing.paper_id, citing.citing_paper_id, citing.reference_id, texts.cited_in,
        citing.version
    from texts
    inner join citing on texts.forum_id = citing.forum_id
    inner join corpus.references as entries on citing.reference_id = entries.reference_id
    where
        contains(regexp_replace(strip_accents(lower(texts.text)), '[^a-z0-9]', '', 'g'), entries.title_key)
        or (
            length(entries.first_author) > 1
            and entries.year is not null
            and regexp_matches(
                strip_accents(lower(texts.text)),
                '\b' || regexp_escape(strip_accents(lower(entries.first_author))) || '\b[^.;]{0,40}'
                || '(et al\.[^.;]{0,20})?' || entries.year
            )
        )
)

-- Of several places the question counts before the answer, and of both versions the final one.
select qa_id, forum_id, paper_id, citing_paper_id, reference_id, cited_in
from named
qualify
    row_number() over (
        partition by qa_id, paper_id
        order by list_position(['question', 'answer', 'reference'], cited_in), version, reference_id
    ) = 1

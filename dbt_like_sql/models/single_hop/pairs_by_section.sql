-- One row: a kind of section with its kept QA pairs (figures 3 and 4 of the AIM-SciQA paper). Sections
-- without any pair count too, but not those of papers that were not admitted: nobody asked about them.
with per_section as (
    select sections.section_id, sections.kind, count(pairs.qa_id) as pairs
    from corpus.sections
    semi join corpus.admitted_papers as admitted on sections.paper_id = admitted.paper_id
    left join single_hop.qa_pairs as pairs
        on sections.section_id = pairs.section_id and pairs.status = 'kept'
    group by all
)

select kind, count(*) as sections, sum(pairs)::bigint as pairs, avg(pairs) as pairs_per_section
from per_section
group by kind

-- One row: a table and a reason for which rows of it were rejected, with their number.
with reasons as (
    select 'corpus.rejected_files' as table_name, rejection_reason from corpus.rejected_files
    union all
    select 'corpus.source_papers', rejection_reason from corpus.source_papers
    union all
    select 'single_hop.extractions', rejection_reason from single_hop.extractions
    union all
    select 'single_hop.qa_pairs', rejection_reason from single_hop.qa_pairs
    union all
    select 'relations.candidate_relations', rejection_reason from relations.mirrors
    union all
    select 'multi_hop.items', rejection_reason from multi_hop.items
    union all
    select 'findings.papers', rejection_reason from findings.papers
    union all
    select 'findings.findings', rejection_reason from findings.findings
    union all
    select 'findings.drafts', rejection_reason from findings.drafts
    union all
    select 'findings.items', rejection_reason from findings.items
    union all
    select 'hopweaver.documents', rejection_reason from hopweaver.documents
    union all
    select 'hopweaver.candidates', rejection_reason from hopweaver.candidates
    union all
    select 'hopweaver.items', rejection_reason from hopweaver.items
    union all
    select 'airqa.rejected_examples', rejection_reason from airqa.rejected_examples
    union all
    select 'airqa.summaries', rejection_reason from airqa.summaries
    union all
    select 'scidqa.discussions', rejection_reason from scidqa.discussions
    union all
    select 'scidqa.root_replies', rejection_reason from scidqa.root_replies
    union all
    select 'scidqa.extractions', rejection_reason from scidqa.extractions
    union all
    select 'scidqa.edits', rejection_reason from scidqa.edits
    union all
    select 'scidqa.qa_pairs', rejection_reason from scidqa.qa_pairs
    union all
    select 'baseline_sets.items', rejection_reason from baseline_sets.items
)

select table_name, rejection_reason, count(*) as rows
from reasons
where rejection_reason is not null
group by all

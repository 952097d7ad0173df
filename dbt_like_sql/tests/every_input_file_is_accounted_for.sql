-- checks: corpus.rejected_files
-- A file of a batch that was parsed is a paper or a rejected file, never both and never neither.
-- if it fails: a file got lost, or was read twice. Run `aimsciqa reset --from corpus --yes`, then `aimsciqa
-- run`; a file that is still named afterwards is an error of the reader: please report it with the file.
select files.file_id, files.file_name, count(papers.paper_id) as papers, count(rejected.file_id) as rejections
from corpus.input_files as files
left join corpus.papers on files.file_id = papers.content_hash
left join corpus.rejected_files as rejected on files.file_id = rejected.file_id
where files.batch in (select part from ops.materializations where table_name = 'corpus.papers')
group by files.file_id, files.file_name
having count(papers.paper_id) + count(rejected.file_id) != 1

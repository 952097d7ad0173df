-- checks: corpus.papers
-- A paper is in the corpus once, however many files and batches contain it.
-- if it fails: a file should have been marked as the duplicate of another. `select batch, file_name,
-- content_hash from corpus.papers where paper_id = '...'` shows which; then `aimsciqa reset --from corpus
-- --yes` and `aimsciqa run`.
select paper_id, count(*) as times
from corpus.papers
group by paper_id
having count(*) > 1

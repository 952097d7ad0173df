-- No item, pair, paper or paragraph occurs twice.
select 'item ' || item_id as doubled, count(*) as times from items group by item_id having count(*) > 1
union all
select 'pair ' || qa_id, count(*) from single_hop group by qa_id having count(*) > 1
union all
select 'paper ' || paper_id, count(*) from corpus.papers group by paper_id having count(*) > 1
union all
select 'paragraph ' || paragraph_id, count(*) from corpus.paragraphs group by paragraph_id having count(*) > 1

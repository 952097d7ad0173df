-- One row: a setting of the answering benchmark, or several (`like`), and its place in lists: all documents first,
-- then documents that are found, parts of those in hand, single documents, none, and RAG baselines.
select named, place
from (
    values
    ('oracle', 1),
    ('realistic', 2),
    ('citation', 3),
    ('segments', 4),
    ('passages', 5),
    ('title_abstract', 6),
    ('%_only', 7),
    ('closed_book', 8),
    ('rag_%', 9)
) as listed (named, place)

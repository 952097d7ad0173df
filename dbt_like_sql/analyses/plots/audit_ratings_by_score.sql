-- plots: benchmark.audit_distribution
-- Ratings of people by criterion and score, in each sheet.
select criterion || printf(' %g', score) as rating, ratings as rows, sheet
from benchmark.audit_distribution
order by sheet, criterion, score desc

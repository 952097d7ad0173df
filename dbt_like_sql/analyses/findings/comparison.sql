-- One row: a quantity of a paper's own that has one of some measures, with what limits it and its quote.
select
    measures.name as measure,
    papers.title,
    papers.year,
    cards.population,
    cards.place,
    measured.value,
    measures.unit,
    measured.is_reversed as reversed,
    findings.value_text as printed,
    findings.unit as printed_unit,
    findings.spread,
    if(
        findings.denominator is null, '', format('{:g} of {:g}', findings.numerator, findings.denominator)
    ) as counted,
    array_to_string(
        [concat_ws(': ', nullif(limits.condition, ''), limits.stated) for limits in findings.conditions], '; '
    ) as conditions,
    findings.evidence as quote,
    papers.paper_id
from findings.measured
join findings.measures on measured.measure_id = measures.measure_id
join findings.findings on measured.quantity_id = findings.finding_id
join findings.papers as cards on findings.paper_id = cards.paper_id
join corpus.papers on findings.paper_id = papers.paper_id
where list_contains($measures, measured.measure_id) and findings.cited = ''
order by measures.name, measured.value desc nulls last, papers.title, findings.number

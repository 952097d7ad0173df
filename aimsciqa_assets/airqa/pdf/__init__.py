"""A PDF becomes the contents of a paper store: pages, sections, tables, figures, equations, references."""

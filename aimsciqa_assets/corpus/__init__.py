"""Stage 1: JATS and PDF files become papers, sections, paragraphs, references and citation mentions."""

"""Stage 2: paragraphs become grounded question-answer-evidence triplets."""

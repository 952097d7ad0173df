"""SciDQA: questions of reviewers, answers of authors."""

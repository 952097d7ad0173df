"""SciDQA: questions of reviewers and answers of authors, from review threads to pairs with exact quotes."""

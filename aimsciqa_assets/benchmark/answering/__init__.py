"""The answering benchmark: models answer the questions from papers, and judges score the answers."""

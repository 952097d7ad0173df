"""How the extractive model joins questions: reading them, rewriting them, joining answers, judging the result."""

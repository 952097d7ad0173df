"""How the extractive model joins questions: read them, rewrite them, join answers, judge the result."""

"""Long answers rated by judges in four aspects, as in SciDQA."""

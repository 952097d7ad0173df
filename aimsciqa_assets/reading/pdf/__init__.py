"""A PDF becomes a parsed paper, for papers that have no JATS."""

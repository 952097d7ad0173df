"""The report: one HTML page of figures, tables and items, made of the warehouse alone."""

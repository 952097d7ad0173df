"""MinerU's files for a paper, as AirQA's authors publish them, in our own words."""

import json
from pathlib import Path

PROCESSED = {
    "pdf_path": "papers/acl2023/x.pdf",
    "info_from_mineru": {
        "tables": [
            {"table_caption": ["Table 1:", "Height."], "table_html": "<table/>", "table_bbox": [1, 2, 30, 40],
             "page_number": 2}
        ],
        "figures": [{"figure_caption": "Figure 1", "figure_path": "f.png", "figure_bbox": [0, 0, 9, 9],
                     "page_number": 1}],
        "equations": [{"equation_text": "a=b", "page_number": 2}],
        "references": [{"reference_text": "Rao. 2012."}],
        "TOC": [
            {"level": 1, "title": "1 Intro", "text": "First.", "page_number": 1, "page_numbers": [1, 2]},
            {"level": 1, "title": "2 End", "text": "Last.", "page_number": 2, "page_numbers": [2]},
        ],
    },
    "summary": {"page_summary": ["P1", "P2"], "section_summary": ["S1", "S2"], "table_summary": [[], ["T"]],
                "image_summary": [["I"], []]},
}  # fmt: skip
METADATA = {
    "uuid": "16f7e6e6-6bfa-5c74-9c8b-1adc5bf7e3b9",
    "title": "Roots",
    "authors": ["A"],
    "abstract": "Ab",
    "conference": "ACL",
    "conference_full": "Annual Meeting",
    "year": 2023,
    "pdf_url": "https://example.org/x.pdf",
    "pdf_path": "papers/acl2023/x.pdf",
    "tldr": "Roots matter.",
    "tags": ["roots"],
    "num_pages": 3,
}


def mineru_folder(folder: Path) -> Path:
    for name, content in (("processed_data", PROCESSED), ("metadata", METADATA)):
        (folder / name).mkdir(parents=True)
        (folder / name / f"{METADATA['uuid']}.json").write_text(json.dumps(content))
    return folder

from aimsciqa_assets.aim_sciqa.single_hop.requests import single_hop_prompt, single_hop_request


def request(**changes):
    values = {
        "paper_title": "Zinc in {maize}",
        "section_title": "Results",
        "subsection": "Grain",
        "keywords": ["zinc", "maize"],
        "paragraph": "Use {{ paper_title }} and {braces}, 5 % and \\1.",
    }
    return single_hop_request("p1", **{**values, **changes})


def test_the_variables_are_kept_as_they_are_for_backends_without_a_prompt():
    assert request().task == "single_hop"
    assert request().key == "p1"
    assert dict(request().variables) == {
        "paper_title": "Zinc in {maize}",
        "section_title": "Results",
        "subsection": "Grain",
        "keywords": "zinc; maize",
        "paragraph": "Use {{ paper_title }} and {braces}, 5 % and \\1.",
    }


def test_the_prompt_is_filled_once_and_braces_in_a_paragraph_stay():
    system, user = request().messages
    assert (system.role, user.role) == ("system", "user")
    assert user.content.endswith("Use {{ paper_title }} and {braces}, 5 % and \\1.")
    assert "Paper: Zinc in {maize}\n" in user.content


def test_what_all_requests_share_comes_first():
    first, second = request(), request(paragraph="Another one.")
    assert first.messages[0] == second.messages[0]
    shared = first.messages[1].content.index("Use {{")
    assert first.messages[1].content[:shared] == second.messages[1].content[:shared]


def test_the_prompt_says_what_it_is_and_asks_for_every_field():
    prompt = single_hop_prompt()
    assert prompt.front_matter["task"] == "single_hop"
    assert all(f'"{field}"' in prompt.text for field in ("question", "evidence", "answer"))
    assert set(prompt.variables) == set(request().variables)

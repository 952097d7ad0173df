"""The catalogue tells what the functions take, all of it and nothing else."""

import inspect

import pytest

from aimsciqa_assets.airqa import score
from aimsciqa_assets.airqa.evaluation.catalogue import catalogue, told
from aimsciqa_assets.airqa.evaluation.functions import FUNCTIONS
from aimsciqa_assets.airqa.evaluation.fuzzy import FUZZ_METHODS

TAKEN_FROM = {
    "eval_element_list_included": ("eval_element_included",),
    "eval_element_list_overlap": ("eval_element_list_overlap", "eval_element_included"),
}
"""Functions that hand parameters on."""
NESTED = {"ignore_order"}


def declared(name):
    """Name and default of the parameters of a function; of those of lists, whatever it hands on."""
    found = {}
    for one in dict.fromkeys((name, *TAKEN_FROM.get(name, ()))):
        for parameter in list(inspect.signature(FUNCTIONS[one]).parameters.values())[1:]:
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
                found[parameter.name] = parameter.default
    return found


def test_every_function_is_in_it():
    assert list(catalogue()) == list(FUNCTIONS)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "eval_structured_object_exact_match"])
def test_parameters_are_those_of_the_function(name):
    entry = catalogue()[name]
    told_of = {
        parameter.name: inspect.Parameter.empty
        if parameter.is_required
        else (None if parameter.default_null else parameter.default)
        for parameter in entry.parameters
        if not (name.startswith("eval_element") and parameter.name in NESTED)
    }
    assert told_of == declared(name)


def test_every_use_case_can_be_used():
    for entry in catalogue().values():
        assert entry.use_cases
        for use in entry.use_cases:
            required = {parameter.name for parameter in entry.parameters if parameter.is_required}
            assert required <= use.eval_kwargs.keys() <= {parameter.name for parameter in entry.parameters}


def test_choices_are_those_of_the_code():
    methods = {
        tuple(one.choices) for entry in catalogue().values() for one in entry.parameters if "fuzz" in one.name
    }
    assert methods == {("ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio")}
    assert set(*methods) <= FUZZ_METHODS.keys()


def test_it_reads_as_markdown():
    text = told(["eval_int_exact_match", "eval_float_exact_match"])
    assert text.startswith("### eval_int_exact_match\n\nThe answer is the same whole number.")
    assert "- gold (whole number; required): the right answer\n" in text
    assert "- ndigits (whole number or null; default null): round both" in text
    assert '  {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 42}}' in text
    assert "eval_bool" not in text


def test_the_use_case_of_a_negation_does_what_it_says():
    use = catalogue()["eval_negation"].use_cases[0]
    evaluator = {"eval_func": "eval_negation", "eval_kwargs": use.eval_kwargs}
    assert [score(evaluator, answer) for answer in ("['METEOR']", "['BLEU']")] == [1, 0]

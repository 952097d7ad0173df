"""Names that lead to no second document: many documents hold them, and tell nothing of them."""

import re
from typing import Final

from aimsciqa_assets.hopweaver.documents import plain

_TIMES: Final = """
january february march april may june july august september october november december monday tuesday
wednesday thursday friday saturday sunday spring summer autumn winter christmas easter
"""
_NATIONS: Final = """
african african american american arab argentine asian australian austrian bangladeshi belgian brazilian
british bulgarian canadian catalan chilean chinese colombian croatian cuban czech danish dutch egyptian
english ethiopian european filipino finnish flemish french german ghanaian greek hebrew hispanic hungarian
indian indonesian iranian iraqi irish israeli italian japanese jewish kenyan korean latin latino lebanese
malaysian mexican moroccan nigerian norwegian pakistani persian peruvian polish portuguese roman romanian
russian saudi scottish serbian slovak slovene soviet spanish swedish swiss thai tunisian turkish ugandan
ukrainian vietnamese welsh western eastern northern southern central north south east west
"""
_COUNTRIES: Final = """
africa albania algeria america antarctica argentina armenia asia australia austria azerbaijan bangladesh
belarus belgium bolivia bosnia botswana brazil bulgaria burkina faso cambodia cameroon canada chile china
colombia congo croatia cuba cyprus denmark ecuador egypt england estonia ethiopia eurasia europe finland
france georgia germany ghana greece greenland guatemala haiti hungary iceland india indonesia iran iraq
ireland israel italy jamaica japan jordan kazakhstan kenya korea kosovo kuwait laos latvia lebanon libya
lithuania luxembourg macedonia madagascar malawi malaysia mali malta mexico moldova mongolia montenegro
morocco mozambique myanmar namibia nepal netherlands nicaragua niger nigeria norway oceania oman pakistan
palestine panama paraguay peru philippines poland portugal qatar romania russia rwanda scotland senegal
serbia singapore slovakia slovenia somalia spain sudan sweden switzerland syria taiwan tanzania thailand
tunisia turkey uganda ukraine uruguay uzbekistan venezuela vietnam wales yemen zambia zimbabwe usa
"""
_PLACES_AND_BODIES: Final = (
    *("United States", "United States of America", "United Kingdom", "Great Britain", "Northern Ireland"),
    *("South Africa", "New Zealand", "Saudi Arabia", "South Korea", "North Korea", "Sri Lanka", "Hong Kong"),
    *("Czech Republic", "European Union", "Soviet Union", "North America", "South America", "Latin America"),
    *("Costa Rica", "El Salvador", "United Arab Emirates", "Middle East", "Western Europe", "World War I"),
    *("Sub-Saharan Africa", "Southeast Asia", "World War II", "First World War", "Second World War"),
    *("United Nations", "World Health Organization", "Ethics Committee", "Institutional Review Board"),
    *("Declaration of Helsinki", "Informed Consent", "National Institutes of Health", "University"),
    *("Creative Commons", "Creative Commons Attribution License", "Supplementary Materials"),
)
_DEGREES: Final = (
    *("Juris Doctor", "Doctor of Philosophy", "Doctor of Medicine", "Doctor of Science", "Bachelor of Arts"),
    *("Bachelor of Science", "Bachelor of Laws", "Master of Arts", "Master of Science", "Master of Laws"),
    *("Master of Business Administration", "Master of Public Health", "Master of Fine Arts"),
)
_METHODS: Final = (
    *("PCR", "qPCR", "RT-PCR", "ELISA", "Western blot", "Western blotting", "ANOVA", "MANOVA", "t-test"),
    *("Student's t-test", "Chi-square", "Chi-squared", "Fisher's exact test", "Mann-Whitney", "Bonferroni"),
    *("Wilcoxon", "Kruskal-Wallis", "Kaplan-Meier", "Cox", "Pearson", "Spearman", "Shapiro-Wilk", "Tukey"),
    *("Likert", "Cronbach", "Cronbach's alpha", "Cohen's kappa", "Bayesian", "Gaussian", "Poisson"),
    *(
        "Monte Carlo",
        "Markov",
        "Euclidean",
        "Boolean",
        "MRI",
        "CT",
        "BMI",
        "DNA",
        "RNA",
        "mRNA",
        "ROC",
        "AUC",
    ),
    *("GDP", "HIV", "COVID-19", "SARS-CoV-2", "PBS", "DMSO", "FBS", "SDS-PAGE", "CI", "SD", "PRISMA", "RCT"),
)
_TOOLS: Final = (
    *(
        "PubMed",
        "MEDLINE",
        "Embase",
        "Scopus",
        "Web of Science",
        "Google Scholar",
        "Cochrane Library",
        "CINAHL",
    ),
    *(
        "Cochrane Library",
        "Cochrane",
        "PsycINFO",
        "GenBank",
        "UniProt",
        "NCBI",
        "KEGG",
        "Gene Ontology",
        "ClinicalTrials.gov",
        "BLAST",
    ),
    *(
        "SPSS",
        "IBM SPSS",
        "IBM SPSS Statistics",
        "SPSS Statistics",
        "SAS",
        "Stata",
        "STATA",
        "MATLAB",
        "Excel",
    ),
    *("Microsoft Excel", "Microsoft", "Windows", "GraphPad", "GraphPad Prism", "ImageJ", "Python", "RStudio"),
    *(
        "Adobe Photoshop",
        "EndNote",
        "NVivo",
        "REDCap",
        "MAXQDA",
        "Google",
        "Wikipedia",
        "Facebook",
        "Twitter",
    ),
    *("Thermo Fisher Scientific", "Thermo Fisher", "Sigma-Aldrich", "Sigma", "Invitrogen", "Abcam", "Merck"),
    *("Cell Signaling Technology", "Qiagen", "Illumina", "Bio-Rad", "Roche", "Santa Cruz Biotechnology"),
)
_JOURNALS: Final = (
    *("Nature", "Science", "Cell", "The Lancet", "Lancet", "JAMA", "BMJ", "PLoS ONE", "PLOS", "PNAS", "MDPI"),
    *("Scientific Reports", "Frontiers", "BioMed Central", "Elsevier", "Springer", "Wiley", "BBC", "Oxford"),
    *("New England Journal of Medicine", "The New York Times", "New York Times", "The Guardian", "The Times"),
    *("Oxford University Press", "Cambridge University Press", "Billboard", "Rolling Stone", "IMDb"),
)
GENERIC: Final = frozenset(
    plain(name)
    for name in (
        *_TIMES.split(),
        *_NATIONS.split(),
        *_COUNTRIES.split(),
        *_PLACES_AND_BODIES,
        *_DEGREES,
        *_METHODS,
        *_TOOLS,
        *_JOURNALS,
    )
)
_OPENINGS: Final = frozenset(
    """
    although additional all an appendix author authors available both chapter department equation ethics
    faculty fig figs figure figures for group however in institute materials methods moreover our real school
    section supplementary table tables the these this total use we while
    """.split()
)
"""Words that open the name of a part of a paper, or of where its authors work, or a sentence."""
_WITHIN: Final = frozenset(
    """
    accession animal animals biotech biotechnology buffer care co committee computing corp corporation fig
    foundation gmbh inc institutes kit laboratories laboratory licence license ltd office research services
    software table technologies universitet use welfare
    """.split()
)
"""Words that mark a supplier, a committee, or a part of a paper wherever they stand."""
_FORMULA: Final = re.compile(
    r"(?:(?:[HBCNOFPSKVI]|A[lgs]|B[ar]|C[adloru]|Fe|Hg|Li|M[gno]|N[ai]|Pb|S[ein]|Ti|Zn)\d*){2,}"
)
_NUMERAL: Final = re.compile(r"[IVX]+")
_ABBREVIATION: Final = re.compile(r"[A-Z][A-Za-z]?[A-Z]{0,4}s?|[A-Z]{2,5}s?|Ig[A-Z]")
_AREA: Final = re.compile(r".*\b(?:Metropolitan|Micropolitan|Statistical)(?: Statistical)?(?: Area)?")
_COMPOUND: Final = re.compile(
    r".*-(?:positive|negative|like|based|free|specific|resistant|infected|terminus)"
)


def is_generic(name: str) -> bool:
    """Whether a name is a common one: a month, a nation, a degree, a method, a tool, a journal.

    So is a part of a paper, one that is made of such names and numbers alone ("December 2015"), a formula, a
    numeral, a short abbreviation and what a supplier or a committee is called.
    """
    said = plain(name)
    words = said.split()
    return (
        said in GENERIC
        or words[0] in _OPENINGS
        or not _WITHIN.isdisjoint(words)
        or all(word in GENERIC or word.isdigit() for word in words)
        or any(form.fullmatch(name) for form in (_FORMULA, _NUMERAL, _ABBREVIATION, _AREA, _COMPOUND))
    )

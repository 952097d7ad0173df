"""Closed word lists and verb morphology: all that the rules know about English. No rules here."""

from typing import Final

BE: Final = frozenset("is are was were".split())
HAVE: Final = frozenset("has have had".split())
MODALS: Final = frozenset("can could may might will would should must".split())
AUXILIARIES: Final = BE | HAVE | MODALS | frozenset("do does did".split())
SINGULAR_AUXILIARIES: Final = frozenset("is was has does".split())
PLURAL_AUXILIARIES: Final = frozenset("are were have do".split())

DETERMINERS: Final = frozenset("a an the each every no another any all some most many few several".split())
PREPOSITIONS: Final = frozenset(
    """
    about above across after against along among amongst around at before behind below beneath beside
    besides between beyond by despite down during except for from in inside into like near of off on
    onto opposite out outside over per since through throughout to toward towards under underneath until
    up upon using versus via vs with within without
    """.split()
)
CONJUNCTIONS: Final = frozenset("and or but nor yet so".split())
SUBORDINATORS: Final = frozenset(
    """
    that which who whom whose what when where whereas while although though because if unless whether
    how why than as whilst once
    """.split()
)
PRONOUNS: Final = frozenset(
    """
    it its itself they them their themselves this these those such he him his she her hers we us our
    ours you your i me my one ones former latter both neither either itself others same above here there
    who former's latter's abovementioned aforementioned said such respectively them latter-day
    """.split()
)
# What points back to an earlier sentence, wherever it stands in a question.
POINTERS: Final = frozenset(
    """
    it its itself they them their themselves this these those such he him his she her former latter both
    our ours we us same aforementioned abovementioned above-mentioned respectively respective other
    others another above below earlier previously previous corresponding i my then so following here
    latter two's said remaining rest hence thus therefore also
    """.split()
)

# Adverbs that link to an earlier sentence: a question leaves them out.
LINKING_ADVERBS: Final = frozenset(
    """
    then also thus therefore hence further subsequently finally again consequently furthermore
    additionally previously respectively likewise similarly only interestingly initially
    """.split()
)

IRREGULAR_PAST: Final = {
    "become": ("became", "become"),
    "begin": ("began", "begun"),
    "bind": ("bound", "bound"),
    "bring": ("brought", "brought"),
    "build": ("built", "built"),
    "choose": ("chose", "chosen"),
    "come": ("came", "come"),
    "cut": ("cut", "cut"),
    "do": ("did", "done"),
    "draw": ("drew", "drawn"),
    "drive": ("drove", "driven"),
    "fall": ("fell", "fallen"),
    "feed": ("fed", "fed"),
    "find": ("found", "found"),
    "freeze": ("froze", "frozen"),
    "get": ("got", "got"),
    "give": ("gave", "given"),
    "go": ("went", "gone"),
    "grind": ("ground", "ground"),
    "grow": ("grew", "grown"),
    "hold": ("held", "held"),
    "keep": ("kept", "kept"),
    "know": ("knew", "known"),
    "lay": ("laid", "laid"),
    "lead": ("led", "led"),
    "leave": ("left", "left"),
    "lose": ("lost", "lost"),
    "make": ("made", "made"),
    "mean": ("meant", "meant"),
    "meet": ("met", "met"),
    "overcome": ("overcame", "overcome"),
    "put": ("put", "put"),
    "read": ("read", "read"),
    "rise": ("rose", "risen"),
    "run": ("ran", "run"),
    "see": ("saw", "seen"),
    "send": ("sent", "sent"),
    "set": ("set", "set"),
    "show": ("showed", "shown"),
    "sow": ("sowed", "sown"),
    "split": ("split", "split"),
    "spread": ("spread", "spread"),
    "take": ("took", "taken"),
    "teach": ("taught", "taught"),
    "undergo": ("underwent", "undergone"),
    "understand": ("understood", "understood"),
    "weigh": ("weighed", "weighed"),
    "withdraw": ("withdrew", "withdrawn"),
    "write": ("wrote", "written"),
}
IRREGULAR_PARTICIPLES: Final = frozenset(participle for _, participle in IRREGULAR_PAST.values())
_DOUBLED: Final = frozenset(
    """
    overlap drop stop plan map submit refer occur transfer permit ship trap control spot
    """.split()
)

# "A increased B": the direction is the answer, so the question asks "How did A affect B?".
EFFECT_VERBS: Final = frozenset(
    """
    abolish accelerate activate alleviate ameliorate attenuate augment block boost compromise decrease
    delay deplete diminish disrupt downregulate down-regulate elevate enhance exacerbate facilitate
    hamper hinder impair improve increase inhibit limit lower minimize mitigate prevent prolong promote
    protect reduce repress restrict shorten slow stimulate strengthen suppress upregulate
    up-regulate weaken worsen
    """.split()
)
# "A increased (from .. to ..)": no object.
CHANGE_VERBS: Final = frozenset(
    "increase decrease decline rise fall drop improve diminish grow worsen".split()
)
# "A encodes B": the question asks for the object.
OBJECT_VERBS: Final = frozenset(
    """
    affect accumulate adopt attack attract colonize convert create destroy discover display dominate
    employ examine exhibit experience favor favour feature govern infect inhabit invade investigate lack
    maintain measure modify occupy offer outperform overlap parasitize preserve protect recommend
    recognize recognise replace resemble retain reveal share surround tolerate undergo utilize absorb
    acquire assess attain characterize comprise demonstrate detect emit ensure exceed explain extend
    hydrolyze incorporate inherit kill mimic occupy participate phosphorylate pose predict promise
    quantify reflect remove resolve stabilize store transport traverse yield show identify carry
    catalyze catalyse cause comprise contain cover encode express harbor harbour include induce
    influence involve possess produce provide receive regulate require secrete support target transmit
    trigger constitute synthesize synthesise release mediate modulate control generate confer yield
    enable
    """.split()
)
# "A encodes B": asking for A as well makes sense.
SUBJECT_ASKING: Final = frozenset(
    """
    affect carry catalyze catalyse cause contain control convert cover dominate encode generate govern
    induce infect influence mediate modulate produce provide regulate replace require resemble secrete
    support synthesize target transmit trigger transport enable outperform explain harbor phosphorylate
    release
    """.split()
)
# "A results in B": the question asks for what follows the preposition.
PREPOSITION_VERBS: Final[dict[str, frozenset[str]]] = {
    "act": frozenset({"as"}),
    "arise": frozenset({"from"}),
    "belong": frozenset({"to"}),
    "bind": frozenset({"to"}),
    "consist": frozenset({"of"}),
    "contribute": frozenset({"to"}),
    "correlate": frozenset({"with"}),
    "correspond": frozenset({"to"}),
    "depend": frozenset({"on", "upon"}),
    "derive": frozenset({"from"}),
    "encode": frozenset({"for"}),
    "function": frozenset({"as", "in"}),
    "interact": frozenset({"with"}),
    "lead": frozenset({"to"}),
    "localize": frozenset({"to"}),
    "originate": frozenset({"from", "in"}),
    "participate": frozenset({"in"}),
    "refer": frozenset({"to"}),
    "rely": frozenset({"on", "upon"}),
    "respond": frozenset({"to"}),
    "result": frozenset({"in", "from"}),
    "serve": frozenset({"as"}),
    "suffer": frozenset({"from"}),
    "aim": frozenset({"to", "at"}),
    "focus": frozenset({"on"}),
    "accumulate": frozenset({"in"}),
    "adhere": frozenset({"to"}),
    "attach": frozenset({"to"}),
    "benefit": frozenset({"from"}),
    "compete": frozenset({"with"}),
    "cluster": frozenset({"with"}),
    "descend": frozenset({"from"}),
    "emerge": frozenset({"from"}),
    "evolve": frozenset({"from"}),
    "exist": frozenset({"as"}),
    "feed": frozenset({"on"}),
    "occur": frozenset({"through", "via"}),
    "reside": frozenset({"in"}),
    "stem": frozenset({"from"}),
    "translate": frozenset({"into", "to"}),
    "vary": frozenset({"with"}),
    "coincide": frozenset({"with"}),
    "co-localize": frozenset({"with"}),
    "differ": frozenset({"from"}),
}
REPORT_VERBS: Final = frozenset(
    """
    show demonstrate reveal indicate suggest confirm find report observe conclude note state imply
    propose hypothesize hypothesise establish estimate predict highlight
    """.split()
)
# "A caused a reduction in B": the direction is the answer here too.
CHANGE_NOUNS: Final = frozenset(
    """
    increase increases decrease decreases reduction reductions improvement improvements decline rise
    drop
    """.split()
)
CAUSING_VERBS: Final = frozenset("produce cause induce yield result lead trigger mediate".split())
SHOW_VERBS: Final = frozenset("have show exhibit display present record contain possess".split())
QUANTITY_VERBS: Final = frozenset("average reach exceed equal total measure weigh span represent".split())
OTHER_VERBS: Final = frozenset(
    """
    take bring meet hold lose reach present describe visit survey summarize link mark separate form
    sense report integrate consider build determine range vary account get explain occur appear remain
    play differ compare use perform analyze analyse measure identify detect collect obtain evaluate
    examine investigate conduct assess determine calculate select develop apply employ follow become
    give make take lead seem tend consider add allow carry survive live harvest extract isolate sequence
    amplify generate construct estimate compute test screen recruit enroll enrol include exclude monitor
    record use utilize utilise study explore characterize characterise design perform prepare grow
    inoculate infect infer map align assemble annotate genotype phenotype assign classify quantify
    interview ask adopt implement create clone transform incubate centrifuge wash store feed treat plant
    sow compare validate verify model simulate download retrieve search define choose obtain set
    """.split()
)

# Further verbs of purposes: "to verify", "to account for".
AIM_VERBS: Final = frozenset(
    """
    verify clarify understand gain address avoid account answer assist discover elucidate improve
    further minimise minimize optimize correct quantify distinguish ensure visualize depict simulate
    compact locate rule check raise cover match capture
    """.split()
)


def past(lemma: str) -> str:
    """The simple past of a verb."""
    if lemma in IRREGULAR_PAST:
        return IRREGULAR_PAST[lemma][0]
    return _regular_past(lemma)


def _regular_past(lemma: str) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ied"
    if lemma in _DOUBLED:
        return lemma + lemma[-1] + "ed"
    return lemma + "ed"


def third_person(lemma: str) -> str:
    """The third person singular of a verb."""
    if lemma == "have":
        return "has"
    if lemma.endswith(("s", "sh", "ch", "x", "z", "o")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return lemma[:-1] + "ies"
    return lemma + "s"


_LEXICAL: Final = sorted(
    EFFECT_VERBS
    | CHANGE_VERBS
    | OBJECT_VERBS
    | set(PREPOSITION_VERBS)
    | REPORT_VERBS
    | (SHOW_VERBS - {"have"})
    | QUANTITY_VERBS
    | OTHER_VERBS
)
PAST_FORMS: Final = {past(lemma): lemma for lemma in _LEXICAL}
THIRD_FORMS: Final = {third_person(lemma): lemma for lemma in _LEXICAL}
BASE_FORMS: Final = frozenset(_LEXICAL)

# Base or third person forms that are as often nouns: they never count as the finite verb.
NOUN_LIKE: Final = frozenset(
    """
    increase decrease decline rise fall drop delay limit slow result results use uses report reports
    cause causes control controls range ranges measure measures study studies test tests screen screens
    map maps sequence sequences design designs record records function functions focus display displays
    form forms release releases target targets yield yields need needs support supports influence
    influences block blocks model models grade harvest harvests estimate estimates set sets search
    searches plant plants genotype genotypes phenotype phenotypes clone clones extract extracts isolate
    isolates transform analyses changes change constructs construct visit visits survey surveys
    experience experiences share shares attack attacks feature features link links mark marks transport
    transports replicate separate select express display favor sense senses process stem stems cluster
    clusters attempts measure average averages total totals account accounts present act acts lead leads
    mean means read reads state states note notes aim aims store stores feed feeds treat treats wash
    washes play plays drop drops falls rises declines increases decreases limits delays gives takes
    makes live lives add find finds span spans trigger triggers compromise lower approach approaches
    interview interviews assembles covers cover supports fit fits
    """.split()
)
# Third person forms above that are verbs when a clear noun phrase stands before and "a", "the", "in".. after.
VERB_WHEN_DETERMINED: Final = frozenset(
    """
    results leads causes controls plays shows increases decreases targets forms supports influences
    ranges accounts acts functions shows yields declines rises limits triggers covers gives makes
    """.split()
)

UNITS: Final = frozenset(
    """
    % mg g kg µg μg ug ng pg ml mL µl μl µL μL ul L l dl dL cm mm m km nm µm μm kb bp Mb Gb Mbp kbp Gbp
    cM kDa Da h hr hrs hour hours min mins minute minutes s sec seconds day days d week weeks month
    months year years yr yrs °C ºC ℃ K mM µM μM nM M mol mmol ppm ppb IU U kJ kcal cal rpm fold times
    copies individuals t ha kPa Pa Hz V W dB percent points units log dS mV lx lux μmol µmol MPa cfu CFU
    pfu PFU FFU
    """.split()
)
NUMBER_WORDS: Final = frozenset(
    """
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
    """.split()
)
PLACES: Final = frozenset(
    """
    africa asia europe america americas australia brazil china india japan korea kenya uganda rwanda
    nigeria senegal gabon ghana ethiopia tanzania egypt france germany italy spain england uk usa canada
    mexico peru chile colombia argentina indonesia malaysia singapore thailand vietnam philippines
    pakistan bangladesh nepal iran iraq turkey russia poland sweden norway finland denmark netherlands
    belgium switzerland austria greece portugal israel berlin london beijing hong kong madagascar
    cameroon zambia zimbabwe malawi mozambique
    """.split()
)
IRREGULAR_PLURALS: Final = frozenset(
    """
    data bacteria people children men women mice genera larvae criteria phenomena loci fungi alleles
    feet teeth pupae nuclei media algae taxa stimuli analyses hypotheses QTL QTLs DEGs SNPs species
    series cattle mitochondria strata spectra indices matrices vertices axes antennae ova flora poultry
    police sera respondents females males caregivers microbiota
    """.split()
)
EITHER_NUMBER: Final = frozenset(
    "species series data qtl microbiota means majority number percent rest lot".split()
)
SINGULAR_IN_S: Final = frozenset(
    """
    analysis basis virus hypothesis species series apparatus status focus genus locus diagnosis
    synthesis photosynthesis biogenesis aegypti albopictus axis corpus crisis emphasis process access
    stress loss mass class grass illness fitness weakness awareness success progress consensus thesis
    genesis pathogenesis mitosis meiosis necrosis fibrosis homeostasis measles diabetes rabies apoptosis
    virulence gas bias thus stimulus fungus nucleus radius campus bus census lens pancreas mays
    thickness hardness dryness tuberculosis sepsis arthritis hepatitis dermatitis encephalitis
    meningitis sinensis effectiveness readiness toughness richness wellness illness business excess
    abscess cross press dress glass genomics transcriptomics proteomics metabolomics phylogenetics
    dynamics kinetics statistics physics economics epidemics linguistics pharmacokinetics
    """.split()
)

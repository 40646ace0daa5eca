"""Settings of hybrid Monte Carlo that are wrong: one error that says what would be right."""
from hmc_jobs import HMC, SMEARED, WALLS


def test_rules_of_domain_wall_quarks(box):
    box.write("hmc.toml", WALLS)
    for more, part in (("hmc.twists=[0.5]", "the ladder of domain-wall quarks is one of masses"),
                       ("hmc.heavier_masses=[1.0]", "1 is not below 1, the mass of Pauli-Villars quarks"),
                       ("hmc.heavier_masses=[0.05]", "is not larger than"),
                       ("hmc.heavier_masses= --set hmc.heavier_kappas=[0.11]", "take heavier_masses"),
                       ("hmc.even_odd=symmetric", "domain-wall quarks have one even-odd form"),
                       ("hmc.flavours=[4,1]", "domain-wall quarks have 1 to 3 flavours of a mass"),
                       ("action.masses=[1.0,0.3]", "masses from 0 to below 1"),
                       ("action.masses=[0.1,-0.3]", "masses from 0 to below 1"),
                       ("action.n_s=3 --set action.variant=borici --set action.b5= --set action.c5=",
                        "Pauli-Villars quarks: domain-wall operator"),
                       ("action.variant=optimal --set action.b5= --set action.c5=", "for example bounds = [0.05, 6.2]"),
                       ("solver.preconditioner=multigrid", "multigrid is for Wilson and clover quarks"),
                       ("hmc.one_flavour=exact --set hmc.flavours=[2,2]", "for an odd number of flavours of domain-wall quarks"),
                       ("hmc.one_flavour=exact --set action.masses=[0.1,0.0]", "the exact action needs a mass above 0"),
                       ("hmc.one_flavour=exact --set action.variant=optimal --set action.b5= --set action.c5= "
                        "--set action.bounds=[0.1,6.0]", "weights that are the same on all slices"),
                       ("rational.factors=2", "functions of domain-wall quarks are not divided"),
                       ("rational.range=[0.1,8.0]", "have spectra of their own"),
                       ("action.c_sw=1.0", "clover term"), ("action.kappa=0.1", "kappa")):
        box.plaq(f"run hmc.toml --set {more}").failed(3, part)


def test_rules_of_several_pseudofermions(box):
    box.write("hmc.toml", HMC)
    for more, part in (("hmc.pseudofermions=[2,1]", "found 2 numbers for 1 masses"), ("hmc.pseudofermions=[9]", "9"),
                       ("hmc.pseudofermions=[2]", "a ladder has two flavours of a mass, and one pseudofermion"),
                       ("hmc.pseudofermions=[2] --set hmc.twists= --set action.twisted_mass=0.1",
                        "several pseudofermions need a Hermitian Q"),
                       ("hmc.pseudofermions=[2] --set hmc.twists= --set hmc.even_odd=symmetric",
                        "the symmetric form needs a pair of flavours with one pseudofermion"),
                       ("action.kappa= --set hmc.twists= --set action.type=wilson --set action.c_sw= --set hmc.pseudofermions=[1]",
                        "pseudofermions")):
        box.plaq(f"run hmc.toml --set {more}").failed(3, part)


def test_wrong_settings(box):
    box.write("hmc.toml", HMC)
    for more, part in (("hmc.twists=[0.1,0.5]", "twists become smaller"),
                       ("gauge.c1=-0.1", "is read only with action = \"rectangles\""),
                       ("gauge.action=rectangles", "the coefficient of rectangles"),
                       ("action.mass=0.1", "'mass' is given as well"),
                       ("hmc.flavours=[2,1]", "found 2 numbers for 1 masses"),
                       ("hmc.flavours=[1]", "a ladder has two flavours of a mass"),
                       ("hmc.flavours=[4]", "1 to 3"),
                       ("hmc.even_odd=both", "asymmetric"),
                       ("hmc.heavier_masses=[0.5]", "twists or masses, not both"),
                       ("hmc.heavier_kappas=[0.13]' --set 'hmc.twists=",
                        "mass -0.15384615 (kappa 0.13) is not larger than mass 0.16666667 (kappa 0.12)"),
                       ("hmc.heavier_kappas=[0.11,0.1]' --set 'hmc.twists=", "masses become smaller, and kappas larger"),
                       ("hmc.heavier_kappas=[0.11]' --set 'hmc.heavier_masses=[0.5]' --set 'hmc.twists=",
                        "heavier_masses is given too"),
                       ("hmc.even_odd=symmetric' --set 'solver.preconditioner=multigrid",
                        "multigrid is for the asymmetric form"),
                       ("hmc.even_odd=symmetric' --set 'hmc.flavours=[1]' --set 'hmc.twists=", "needs a pair of flavours"),
                       ("rational.factors=2", "needs an odd number of flavours"),
                       ("rational.range=[1.0,2.0]", "needs an odd number of flavours"),
                       ("rational.tolerance=1e-16", "must be 1e-14 to 0.1"),
                       ("solver.largest_twist=0.1", "needs preconditioner"),
                       ("hmc.steps=[3]", "found 1 numbers for 2 time scales"),
                       ("hmc.steps=", "missing key 'steps'"),
                       ('hmc.integrators=["omelyan4"]', "found 1 names for 2 time scales"),
                       ('hmc.time_scales=["quarks","gauge","strange"]', "strange stands for no term"),
                       ('hmc.time_scales=["quarks","quarks_ratio_1"]', "no time scale has the term gauge"),
                       ('hmc.time_scales=["quarks","quarks gauge"]', "quarks is listed twice"),
                       ("action.kappas=[0.12,0.12]", "'kappa' is given as well"),
                       ('hmc.integrators=["verlet","leapfrog"]', "omelyan2"),
                       ("gauge.u0=0.9", "luscher_weisz"),
                       ("gauge.quenched_beta=5.9", "is read only with start = \"quenched\""),
                       ("gauge.quenched_sweeps=10", "is read only with start = \"quenched\""),
                       ("action_smearing.type=ape", "forces of quarks on ape links are not known"),
                       ("action_smearing.clover_links=thin", "no links are smeared"),
                       (f"hmc.twists={[round(9 - 0.01 * k, 2) for k in range(256)]}".replace(" ", ""),
                        "at most 255 are possible"),
                       ("multigrid.vectors=[100]", "found 100, must be 1 to 64"),
                       ("hmc.acceptance=0.9", "and [update] has 2"),
                       ("hmc.acceptance=1.5", "greater than 0 and less than 1"),
                       ("action.c_sw=", "the coefficient of the clover term"),
                       ("action.boundary=[1,1,1,0]", "sea quarks have 1 or -1"),
                       ("action.xi=2.0", "is for xi = 1")):
        box.plaq(f"run hmc.toml --set '{more}'").failed(3, part)


def test_quenched_links_need_colours(box):
    box.write("hmc.toml", HMC)
    box.plaq("run hmc.toml --set gauge.start=quenched --set gauge.action=iwasaki --set lattice.extents=[2,4,4,8]").failed(
        3, "needs extents of at least 4")


def test_wrong_smearing(box):
    box.write("hmc.toml", SMEARED)
    for more, part in (("action_smearing.rho=0.15", "amplifies the highest momenta"),
                       ("action_smearing.rho=0.6", "forces need a rho of at most 0.5"),
                       ("action.type=wilson", "have no clover term")):
        box.plaq(f"run hmc.toml --set '{more}'").failed(3, part)
    box.write("hmc.toml", SMEARED.replace('type = "clover"\nkappa = 0.12\nc_sw = 1.2\n', ""))
    box.plaq("run hmc.toml").failed(3, "needs quarks")

"""Signatures and type stubs have the keys of job files, as the schema has them."""
import ast
import inspect
import json
import pathlib
import unittest

import plaq
import support

DIRAC = ("Wilson", "Clover", "Staggered", "Asqtad", "Hisq", "DomainWall")


def keys_of(job, table):
    """{name: what the schema says of it}"""
    found = [one for one in json.loads(plaq.schema(job, json=True))["tables"] if one["name"] == table]
    return {key["name"]: key for key in found[0]["keys"]}


def keywords(function):
    return {name: one for name, one in inspect.signature(function).parameters.items() if one.kind == one.KEYWORD_ONLY}


class Signatures(unittest.TestCase):
    def test_functions_show_the_keys_of_job_files(self):
        action = set(keys_of("propagator", "action")) - {"type", "masses", "kappas"}
        self.assertEqual(set(keywords(plaq.Dirac)), action | {"smearing"})
        self.assertEqual(set().union(*(keywords(getattr(plaq, name)) for name in DIRAC)), action | {"smearing"})
        self.assertEqual(set(keywords(plaq.Wilson)), {"mass", "kappa", "twisted_mass", "xi", "nu", "boundary", "smearing"})
        self.assertEqual(set(keywords(plaq.Clover)), set(keywords(plaq.Wilson)) | {"c_sw", "c_r", "c_t"})
        self.assertEqual(set(keywords(plaq.Staggered)), {"mass", "mass_convention", "boundary", "smearing"})
        self.assertEqual(set(keywords(plaq.Hisq)), set(keywords(plaq.Staggered)) | {"epsilon"})
        self.assertEqual(set(keywords(plaq.Asqtad)), set(keywords(plaq.Staggered)) | {"u0"})
        self.assertTrue({"n_s", "b5", "variant", "xi"} <= set(keywords(plaq.DomainWall)))
        self.assertNotIn("kappa", keywords(plaq.DomainWall))
        solver = set(keys_of("propagator", "solver")) | {"multigrid"}
        self.assertEqual(set(keywords(plaq.Solver)), solver)
        self.assertEqual(set(keywords(plaq.solve)), solver | {"position"})
        self.assertEqual(set(keywords(plaq.GaugeField.smear)), set(keys_of("measure", "link_smearing")) - {"type"})
        fixing = [keys_of("gaugefix", table) for table in ("fixing", "annealing", "stochastic", "overrelaxation")]
        self.assertEqual(set(keywords(plaq.GaugeField.fix)),
                         set().union(*fixing) - {"gauge", "groups"} | {"annealing", "stochastic", "overrelaxation"})
        hmc = set(keys_of("hmc", "hmc")) - {"flavours", "pseudofermions", "acceptance", "checkpoint_minutes", "unconditional",
                                            "reversibility_every"}
        self.assertEqual(set(keywords(plaq.HMC)), hmc | {"action", "beta", "c1", "u0", "flavours", "anisotropy"} |
                         {"quarks", "smearing", "rational", "solver", "multigrid"})
        self.assertEqual(str(keywords(plaq.HMC)["quarks"]), "quarks: dict[str, Any] | QuarksKeys | None = None")
        lattice = set(keys_of("measure", "comms")) | set(keys_of("measure", "run")) - {"location"}
        self.assertEqual(set(keywords(plaq.Lattice)), lattice)

    def test_defaults_and_types_are_those_of_the_schema(self):
        found = keywords(plaq.Solver)
        for name, key in keys_of("propagator", "solver").items():
            self.assertEqual(found[name].default, key["default"], name)
        self.assertEqual(str(found["tolerance"]), "tolerance: float = 1e-10")
        self.assertEqual(str(found["restart"]).partition(" = ")[0], "restart: int")
        self.assertIn("Literal['cg', 'cgne', 'bicgstab'".replace("'", '"'), str(found["method"].annotation))

    def test_every_function_and_class_with_a_constructor_has_a_signature(self):
        made_by_functions = {"DeviceArray", "Field", "FixedGauge", "FixingCheck", "Flow", "FlowPoint", "GammaMatrix",
                             "GaugeField", "GaugeTransformation", "LaplacianModes", "LowModes", "QuarkField",
                             "SolveReport", "TrajectoryReport"}
        for name in set(plaq.__all__) - made_by_functions:
            thing = getattr(plaq, name)
            if not callable(thing) or inspect.isclass(thing) and issubclass(thing, plaq.Error):
                continue
            signature = inspect.signature(thing)
            kinds = {one.kind for one in signature.parameters.values()}
            if name != "load":  # of any number of paths
                self.assertFalse(kinds & {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}, (name, signature))
        self.assertEqual(list(inspect.signature(plaq.meson).parameters), ["quark", "channel", "antiquark", "momentum", "source"])
        self.assertEqual(inspect.signature(plaq.meson).parameters["momentum"].default, (0, 0, 0))
        lattice = support.lattice([4, 4, 4, 4])
        self.assertEqual(list(inspect.signature(plaq.unit_gauge(lattice).flow).parameters),
                         ["t_max", "step", "measure_every", "at_point", "action", "tolerance"])

        class Mine(plaq.LinearOperator):
            def __init__(self, mu):
                super().__init__(lattice)

        self.assertEqual(list(inspect.signature(Mine).parameters), ["mu"])

    def test_stubs_have_the_same(self):
        package = pathlib.Path(plaq.__file__).parent
        if not (package / "_plaq.pyi").exists():
            self.skipTest("a build without stubs")
        stubs = {}
        for name in ("_plaq.pyi", "operators.pyi"):
            for node in ast.parse((package / name).read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef):
                    stubs[node.name] = node
                elif isinstance(node, ast.ClassDef):
                    stubs.update({f"{node.name}.{one.name}": one for one in node.body if isinstance(one, ast.FunctionDef)})
        for name, function in {**{name: getattr(plaq, name) for name in (*DIRAC, "solve")}, "Dirac.__init__": plaq.Dirac,
                               "Solver.__init__": plaq.Solver, "HMC.__init__": plaq.HMC, "Lattice.__init__": plaq.Lattice,
                               "GaugeField.smear": plaq.GaugeField.smear, "GaugeField.fix": plaq.GaugeField.fix}.items():
            own = ("columns", "position") if name == "solve" else ()
            found = {one.arg: ast.unparse(one.annotation) for one in stubs[name].args.kwonlyargs if one.arg not in own}
            shown = {key: ast.unparse(ast.parse(str(one.annotation))) for key, one in keywords(function).items()
                     if key not in own}
            self.assertEqual(found, shown, name)
            self.assertIsNone(stubs[name].args.kwarg, name)


if __name__ == "__main__":
    support.main()

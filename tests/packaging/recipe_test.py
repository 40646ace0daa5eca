"""Reads the Spack recipe as Spack does: with the names of spack.package, and what it imports besides. Usage:
recipe_test.py SOURCES"""
import pathlib
import sys
import types

SOURCES = pathlib.Path(sys.argv[1])
directives = []


def directive(name):
    def note(*words, **settings):
        directives.append((name, words, settings))
    return note


class When:
    def __init__(self, spec):
        self.spec = spec

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def module(name, **names):
    made = types.ModuleType(name)
    made.__dict__.update(names)
    made.__all__ = list(names)
    sys.modules[name] = made


class Base:
    spec = None

    def define(self, name, value):
        return f"-D{name}={value}"

    def define_from_variant(self, name, variant):
        return f"-D{name}={self.spec.variants[variant].value}"


class Spec:
    def __init__(self, **values):
        self.variants = {name: types.SimpleNamespace(value=value) for name, value in values.items()}

    def satisfies(self, text):
        return self.variants[text[1:]].value is (text[0] == "+")


# Directives of spack.package. That of generators is of CMake packages.
module("spack")
module("spack.package", when=When, join_path=lambda *parts: "/".join(parts),
       **{name: directive(name) for name in ("license", "version", "variant", "depends_on", "conflicts", "extends")})
for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
    module(name)
module("spack_repo.builtin.build_systems.cmake", CMakePackage=type("CMakePackage", (Base,), {}), generator=directive("generator"))
module("spack_repo.builtin.build_systems.cuda", CudaPackage=type("CudaPackage", (), {}))

path = SOURCES / "packaging/spack/packages/plaq/package.py"
names = {}
exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
assert ("generator", ("ninja",), {}) in directives, directives
package = names["Plaq"]()
options = (SOURCES / "cmake/Options.cmake").read_text(encoding="utf-8")
for cuda in (True, False):
    package.spec = Spec(cuda=cuda, python=True, isa="none", cuda_arch=("90",))
    arguments = package.cmake_args()
    assert "-DPLAQ_TESTS=False" in arguments and "-DPLAQ_CARRY_LIBRARIES=False" in arguments, arguments
    for argument in arguments:
        option = argument[2:].split("=")[0]
        known = option.startswith("CMAKE_") or option == "PLAQ_PYTHON" or option in options
        assert known, f"{option} is no option of the build"
assert 'option(PLAQ_WERROR "' in options and options.split("PLAQ_WERROR")[1].split("\n")[0].endswith("OFF)"), "warnings end builds"

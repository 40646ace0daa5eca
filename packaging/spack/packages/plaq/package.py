# Use it with a clone of the sources:
#   spack repo add packaging/spack
#   spack dev-build plaq@main +cuda cuda_arch=90        # in the root of the sources
from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage


class Plaq(CMakePackage, CudaPackage):
    """Lattice QCD on many GPUs, and on machines without one."""

    license("BSD-3-Clause")
    version("main")

    variant("python", default=False, description="The Python module")
    variant("isa", default="none", values=("none", "x86-64-v3", "native"),
            description="As in -march= of host code; none: that of Spack's target")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi")
    depends_on("hdf5 ~mpi")
    depends_on("fmt")
    depends_on("spdlog +fmt_external")
    depends_on("hwloc@2.1:2")
    depends_on("zlib-api")
    depends_on("pugixml")
    for header in ("cli11", "tomlplusplus", "nlohmann-json", "random123", "eigen", "boost"):
        depends_on(header, type="build")
    depends_on("cuda@12.2:", when="+cuda")
    depends_on("nccl", when="+cuda")
    for module in ("py-numpy", "py-h5py", "py-matplotlib"):
        depends_on(module, type="run")  # plaq plot, plaq analyse
    with when("+python"):
        extends("python@3.10:")
        depends_on("py-nanobind@2.4:", type="build")
        depends_on("py-mpi4py", type="run")
        depends_on("py-uncertainties@3.1.6:", type="run")

    generator("ninja")
    conflicts("cuda_arch=none", when="+cuda", msg="say which GPUs: cuda_arch=90")

    def cmake_args(self):
        isa = self.spec.variants["isa"].value
        arguments = [
            self.define("PLAQ_TESTS", False),
            self.define("PLAQ_CARRY_LIBRARIES", False),  # Spack's libraries stay where they are
            self.define_from_variant("PLAQ_CUDA", "cuda"),
            self.define_from_variant("PLAQ_PYTHON", "python"),
            self.define("PLAQ_HOST_ISA", "" if isa == "none" else isa),
        ]
        if self.spec.satisfies("+cuda"):
            arguments.append(self.define("CMAKE_CUDA_ARCHITECTURES", ";".join(self.spec.variants["cuda_arch"].value)))
        return arguments

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            env.prepend_path("PYTHONPATH", join_path(self.prefix.lib, "python"))

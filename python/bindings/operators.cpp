#include "python/bindings/bindings.hpp"

#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nanobind/trampoline.h>

#include <memory>
#include <vector>

#include "core/system/error.hpp"
#include "plaq/linear_operator.hpp"
#include "python/bindings/dirac.hpp"
#include "python/bindings/fields.hpp"
#include "settings/solver/solver_table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

// An operator that is written in Python. Its functions get fields of their own in the memory that a solver
// works on: nanobind would copy the numbers of arguments that are references.
class PythonOperator : public SpinorOperator {
 public:
  NB_TRAMPOLINE(SpinorOperator, 2);
  void apply(SpinorField& out, const SpinorField& in) override {
    using NBBase = TakesFields;
    NB_OVERRIDE_PURE_NAME("apply", call, same_memory(out), same_memory(in));
  }
  void apply_dagger(SpinorField& out, const SpinorField& in) override {
    using NBBase = TakesFields;
    NB_OVERRIDE_PURE_NAME("apply_dagger", call, same_memory(out), same_memory(in));
  }

 private:
  struct TakesFields {  // the type of Python's functions
    static void call(SpinorField out, SpinorField in);
  };
  static SpinorField same_memory(const SpinorField& x) { return {x.lattice(), x.field(), x.note()}; }
};

// M or M^dagger M.
class DiracMatrix : public SpinorOperator {
 public:
  DiracMatrix(const DiracPtr& dirac, bool normal)
      : SpinorOperator(dirac->m.lattice(), dirac->m.settings(1).spins, dirac->m.settings(1).Ls),
        dirac_(dirac),
        normal_(normal) {}
  void apply(SpinorField& out, const SpinorField& in) override {
    if (!normal_) return dirac_->m.apply(out, in);
    SpinorField between = vector(in.columns());
    dirac_->m.apply(between, in);
    dirac_->m.apply_dagger(out, between);
  }
  void apply_dagger(SpinorField& out, const SpinorField& in) override {
    normal_ ? apply(out, in) : dirac_->m.apply_dagger(out, in);
  }
  PropagatorNote note() const override { return normal_ ? PropagatorNote() : dirac_->m.note(); }

 private:
  DiracPtr dirac_;
  bool normal_;
};

// The keys of [solver] that krylov() has.
const settings::Schema& krylov_schema() {
  static const settings::Schema schema = [] {
    const settings::Table all = settings::solver_table();
    return settings::Schema{"krylov",
                            "Krylov methods.",
                            {{"solver", all.meaning, {*all.find("tolerance"), *all.find("max_iterations")}}},
                            {}};
  }();
  return schema;
}

KrylovSettings settings_of(const std::string& method, nb::handle tolerance, nb::handle max_iterations) {
  nb::dict keys;
  keys["tolerance"] = tolerance;
  keys["max_iterations"] = max_iterations;
  const auto limits = Keywords().add("solver", keys).read(krylov_schema(), "krylov()").get<SolverSettings>();
  return {method, limits.tolerance, limits.max_iterations};
}

SpinorField result_of(SpinorOperator& a, const SpinorField& x) {
  if (!(x.lattice() == a.lattice()) || x.settings() != a.settings(x.columns()))
    throw Error(ErrorKind::usage, "the field does not fit the operator; make it by the operator's vector()");
  SpinorField out = a.vector(x.columns());
  a.apply(out, x);
  out.note() = x.note();
  return out;
}

}  // namespace

void bind_operators(nb::module_& module) {
  nb::class_<SpinorOperator, PythonOperator>(
      module, "LinearOperator",
      "A linear operator on quark fields in double precision. Write one in Python by\n"
      "a class derived from it, with\n\n"
      "    def apply(self, out, x): ...          # writes A x into the QuarkField `out`\n"
      "    def apply_dagger(self, out, x): ...   # A^dagger x; methods \"cg\" and \"cgne\" need it\n"
      "")
      .def(nb::init<const Lattice&, int, int>(), "lattice"_a, "spins"_a = 4, "slices"_a = 1,
           "On spinors, or with spins = 1 on color vectors; of five dimensions with Ls slices.")
      .def_prop_ro(
          "lattice", [](const SpinorOperator& a) { return a.lattice(); }, "The Lattice that it is on.")
      .def("vector", &SpinorOperator::vector, "columns"_a = 1, "Vectors that it acts on, 0 everywhere.")
      .def("apply", &SpinorOperator::apply, "out"_a, "x"_a, "Writes A x into `out`.")
      .def("apply_dagger", &SpinorOperator::apply_dagger, "out"_a, "x"_a, "Writes A^dagger x into `out`.")
      .def("__call__", &result_of, "x"_a, "A x.");

  const auto written = [](void (DiracMatrix::*apply)(SpinorField&, const SpinorField&)) {
    return [apply](DiracMatrix& a, SpinorField& out, const SpinorField& x) {
      const Call call = call_on(x);
      (a.*apply)(out, x);
    };
  };
  nb::class_<DiracMatrix, SpinorOperator>(module, "DiracMatrix")
      .def(nb::init<DiracPtr, bool>(), "dirac"_a, "normal"_a = false,
           "M as a LinearOperator; normal: M^dagger M.")
      .def("apply", written(&DiracMatrix::apply), "out"_a, "x"_a, "Writes M x, or M^dagger M x, into `out`.")
      .def("apply_dagger", written(&DiracMatrix::apply_dagger), "out"_a, "x"_a,
           "Writes M^dagger x, or M^dagger M x, into `out`.")
      .def(
          "__call__",
          [](DiracMatrix& a, const SpinorField& x) { return in_call(x, [&] { return result_of(a, x); }); },
          "x"_a, "M x, or M^dagger M x.");

  module.def(
      "krylov",
      [](SpinorOperator& a, const SpinorField& b, const std::string& method, nb::handle tolerance,
         nb::handle max_iterations, const SpinorField* guess) {
        const KrylovSettings settings = settings_of(method, tolerance, max_iterations);
        const Call call = call_on(b);
        return guess == nullptr ? solve(a, b, settings) : solve_from(*guess, a, b, settings);
      },
      "operator"_a, "b"_a, "method"_a = "bicgstab", "tolerance"_a = 1e-10, "max_iterations"_a = 10000,
      "x0"_a.none() = nb::none(),
      nb::sig("def krylov(operator: LinearOperator, b: QuarkField, method: str = 'bicgstab', tolerance: "
              "float = 1e-10, "
              "max_iterations: int = 10000, x0: QuarkField | None = None) -> QuarkField"),
      "Solves A x = b by \"cg\" (on A^dagger A), \"cgne\", \"hermitian-cg\" (A\n"
      "Hermitian and positive), \"bicgstab\", \"gcr\" or \"mr\", from the guess x0.\n"
      "Raises NotConverged. Collective.");
}

}  // namespace plaq::python

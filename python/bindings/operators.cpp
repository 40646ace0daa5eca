#include "python/bindings/operators.hpp"

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
#include "settings/solver/solver_table.hpp"
#include "solvers/normal_operator.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

// What Python passes around: an operator on quark fields, made for batches of any size.
class Operator {
 public:
  Operator(LatticePtr lattice, int spins, int slices)
      : lattice_(std::move(lattice)), spins_(spins), slices_(slices) {
    expect_spins(spins);
    if (slices < 1 || slices > ActiveSet::capacity)
      throw Error(ErrorKind::usage,
                  fmt::format("argument 'slices': expected 1 to {}, found {}", ActiveSet::capacity, slices));
  }
  virtual ~Operator() = default;

  virtual void apply(QuarkField& out, const QuarkField& in) = 0;
  virtual void apply_dagger(QuarkField& out, const QuarkField& in) = 0;

  // What is known of the quarks that solve it, but for their sources.
  virtual PropagatorNote note() const { return {}; }

  const LatticePtr& lattice() const { return lattice_; }
  int spins() const { return spins_; }
  int slices() const { return slices_; }
  FieldSpec spec(int batch) const {
    FieldSpec spec{Subset::full,        spins_, 3, batch * slices_, Precision::double_precision,
                   lattice_->location()};
    spec.slices = slices_;
    return spec;
  }
  QuarkField vector(int columns) const {
    expect_columns(columns, slices_);
    return {{lattice_, Field(lattice_->geometry(), spec(columns))}};
  }

 private:
  LatticePtr lattice_;
  int spins_, slices_;
};

// One that is written in Python.
class PythonOperator : public Operator {
 public:
  NB_TRAMPOLINE(Operator, 2);
  void apply(QuarkField& out, const QuarkField& in) override { NB_OVERRIDE_PURE(apply, out, in); }
  void apply_dagger(QuarkField& out, const QuarkField& in) override {
    NB_OVERRIDE_PURE(apply_dagger, out, in);
  }
};

// M or M^dagger M.
class DiracOperatorOf : public Operator {
 public:
  DiracOperatorOf(DiracPtr dirac, bool normal)
      : Operator(dirac->lattice(), dirac->action().spins(), dirac->action().slices()),
        dirac_(std::move(dirac)),
        normal_(normal) {}
  void apply(QuarkField& out, const QuarkField& in) override { run(out, in, false); }
  void apply_dagger(QuarkField& out, const QuarkField& in) override { run(out, in, true); }
  PropagatorNote note() const override { return normal_ ? PropagatorNote() : dirac_->note(); }

 private:
  void run(QuarkField& out, const QuarkField& in, bool dagger) {
    const Call call = in.call();
    LinearOperator& m = dirac_->matrix(in.field.batch());
    if (normal_) {
      NormalOperator(m, in.field.batch()).apply(out.field, in.field);
    } else {
      dagger ? m.apply_dagger(out.field, in.field) : m.apply(out.field, in.field);
    }
    in.queue().synchronize();
  }
  DiracPtr dirac_;
  bool normal_;
};

// An Operator for solve(), which calls it with the GIL released.
class ForSolver final : public SpinorOperator {
 public:
  explicit ForSolver(Operator& of)
      : SpinorOperator(shared_lattice(of.lattice()), of.spins(), of.slices()), of_(of) {}
  void apply(SpinorField& out, const SpinorField& in) override { run(out, in, false); }
  void apply_dagger(SpinorField& out, const SpinorField& in) override { run(out, in, true); }

 private:
  void run(SpinorField& out, const SpinorField& in, bool dagger) {
    const nb::gil_scoped_acquire held;
    QuarkField to{{of_.lattice(), out.field()}};
    const QuarkField from{{of_.lattice(), in.field()}};
    dagger ? of_.apply_dagger(to, from) : of_.apply(to, from);
  }
  Operator& of_;
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

QuarkField krylov(Operator& a, const QuarkField& b, const KrylovSettings& settings, const QuarkField* guess) {
  const LatticePtr& lattice = a.lattice();
  if (b.lattice != lattice) throw Error(ErrorKind::usage, "b is on another lattice than the operator");
  if (b.field.spec() != a.spec(b.field.batch()))
    throw Error(ErrorKind::usage, "b must be a field such as the operator's vector()");
  if (guess != nullptr && guess->field.spec() != b.field.spec())
    throw Error(ErrorKind::usage, "x0 must be a field like b");
  const PropagatorNote note = common_note(a.note(), b.note);
  const Call call = b.call();
  ForSolver operator_of_python(a);
  const plaq::Lattice shared = shared_lattice(lattice);
  const SpinorField source(shared, b.field);
  ColumnsSolved solved;
  const SpinorField x = guess == nullptr ? solve(operator_of_python, source, settings, &solved)
                                         : solve_from(SpinorField(shared, guess->field), operator_of_python,
                                                      source, settings, &solved);
  return {{lattice, x.field()}, note, solved};
}

QuarkField applied(Operator& a, const QuarkField& x, bool dagger) {
  if (x.lattice != a.lattice() || x.field.spec() != a.spec(x.field.batch()))
    throw Error(ErrorKind::usage, "the operator acts on fields such as its vector() makes");
  QuarkField out = a.vector(x.field.batch());
  out.note = x.note;
  dagger ? a.apply_dagger(out, x) : a.apply(out, x);
  return out;
}

}  // namespace

void bind_operators(nb::module_& module) {
  nb::class_<Operator, PythonOperator>(
      module, "LinearOperator",
      "A linear operator on quark fields in double precision. Write one in Python by\n"
      "a class derived from it, with\n\n"
      "    def apply(self, out, x): ...          # writes A x into the QuarkField `out`\n"
      "    def apply_dagger(self, out, x): ...   # A^dagger x; methods \"cg\" and \"cgne\" need it\n"
      "")
      .def(nb::init<LatticePtr, int, int>(), "lattice"_a, "spins"_a = 4, "slices"_a = 1,
           "On spinors, or with spins = 1 on color vectors; of five dimensions with N_s slices.")
      .def_prop_ro(
          "lattice", [](const Operator& a) { return a.lattice(); }, "The Lattice that it is on.")
      .def("vector", &Operator::vector, "columns"_a = 1, "Vectors that it acts on, 0 everywhere.")
      .def("apply", &Operator::apply, "out"_a, "x"_a, "Writes A x into `out`.")
      .def("apply_dagger", &Operator::apply_dagger, "out"_a, "x"_a, "Writes A^dagger x into `out`.")
      .def(
          "__call__", [](Operator& a, const QuarkField& x) { return applied(a, x, false); }, "x"_a, "A x.");

  nb::class_<DiracOperatorOf, Operator>(module, "DiracMatrix")
      .def(nb::init<DiracPtr, bool>(), "dirac"_a, "normal"_a = false,
           "M as a LinearOperator; normal: M^dagger M.");

  module.def(
      "krylov",
      [](Operator& a, const QuarkField& b, const std::string& method, nb::handle tolerance,
         nb::handle max_iterations, const QuarkField* guess) {
        return krylov(a, b, settings_of(method, tolerance, max_iterations), guess);
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

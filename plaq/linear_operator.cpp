#include "plaq/linear_operator.hpp"

#include <map>

#include "comms/grid/shared_lattice.hpp"
#include "core/operator/linear_operator.hpp"
#include "plaq/links_of.hpp"
#include "quarks/operator/dirac_matrix.hpp"
#include "solvers/column_scale.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "solvers/krylov/make_method.hpp"

namespace plaq {
namespace {

// A SpinorOperator as solvers see it.
class AsLinearOperator final : public LinearOperator {
 public:
  explicit AsLinearOperator(SpinorOperator& of) : of_(of) {}
  const GeometryPtr& geometry() const override { return of_.lattice().shared().geometry; }
  FieldSpec spec(int batch) const override {
    const SpinorSettings s = of_.settings(batch);
    FieldSpec spec{
        Subset::full, s.spins, 3, batch * s.slices, Precision::double_precision, of_.lattice().location()};
    spec.slices = s.slices;
    return spec;
  }
  const Queue& queue() const override { return of_.lattice().shared().queue; }
  Work work(int) const override { return {}; }  // not known

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override {
    const bool all = active.count() == in.batch();
    Field whole = all ? out : Field(out.geometry_ptr(), out.spec());
    queue().synchronize();
    SpinorField to(of_.lattice(), whole);  // the same memory
    const SpinorField from(of_.lattice(), in);
    dagger ? of_.apply_dagger(to, from) : of_.apply(to, from);
    if (to.field().data(0, 0) != whole.data(0, 0)) copy(whole, to.field());  // assigned to, not written into
    if (all) return;
    const int slices = in.slices();
    for (int k = 0; k < active.count(); ++k)
      for (int s = 0; s < slices; ++s)
        copy_subfield(out, active[k] * slices + s, whole, active[k] * slices + s);
  }
  SpinorOperator& of_;
};

}  // namespace

struct DiracOperator::Parts {
  ActionPtr action;
  GaugeField gauge;
  std::unique_ptr<DiracMatrix> matrix = nullptr;
  std::unique_ptr<HoppingTerm> high_precision = nullptr;
  std::map<int, std::unique_ptr<LinearOperator>> full = {};  // by columns

  LinearOperator& of(int columns) {
    if (!high_precision) {
      const FermionLinks links = links_of(gauge);
      if (action->needs_bounds()) action = action->within(action->measure_bounds(links));
      matrix = action->on(links, action->clover_field(links));
      high_precision = matrix->hopping(high_precision_storage);
    }
    auto& made = full[columns];
    if (!made) made = high_precision->full(columns);
    return *made;
  }

  void run(SpinorField& out, const SpinorField& in, bool dagger) {
    LinearOperator& m = of(in.columns());
    if (!(in.lattice() == gauge.lattice()) || in.field().spec() != m.spec(in.columns()) ||
        out.field().spec() != in.field().spec())
      throw Error(ErrorKind::usage,
                  "DiracOperator: fields of the lattice, spins, slices and precision of M are wanted");
    dagger ? m.apply_dagger(out.field(), in.field()) : m.apply(out.field(), in.field());
    m.queue().synchronize();
    out.field().touch();
    out.note() = in.note();
  }
};

namespace {

const Action& expected(const ActionPtr& action) {
  if (!action) throw Error(ErrorKind::usage, "DiracOperator: there is no action");
  return *action;
}

}  // namespace

DiracOperator::DiracOperator(ActionPtr action, const GaugeField& gauge)
    : SpinorOperator(gauge.lattice(), expected(action).spins(), expected(action).slices()),
      parts_(std::make_unique<Parts>(Parts{action, gauge})) {}
DiracOperator::~DiracOperator() = default;
void DiracOperator::apply(SpinorField& out, const SpinorField& in) { parts_->run(out, in, false); }
void DiracOperator::apply_dagger(SpinorField& out, const SpinorField& in) { parts_->run(out, in, true); }

namespace {

ColumnsSolved columns_of(const SolveReport& report) {
  ColumnsSolved columns;
  for (const SolveResult& one : report.results) {
    columns.true_residuals.push_back(one.source_norm > 0 ? one.residual_norm / one.source_norm : 0);
    columns.iterations.push_back(one.iterations);
    columns.updates.push_back(one.updates);
  }
  columns.attempts = static_cast<std::int64_t>(report.attempts.size());
  return columns;
}

// Without a guess from x = 0.
SpinorField solved_from(const SpinorField* guess, SpinorOperator& a, const SpinorField& b,
                        const KrylovSettings& settings, ColumnsSolved* solved) {
  const SharedLattice& lattice = a.lattice().shared();
  AsLinearOperator face(a);
  const int batch = b.columns();
  const auto expect = [&](const SpinorField& field, const char* name) {
    if (!(field.lattice() == a.lattice()) || field.field().spec() != face.spec(batch))
      throw Error(ErrorKind::usage,
                  std::string("solve(): ") + name + " is not a field that the operator acts on");
  };
  expect(b, "b");
  if (!(settings.tolerance > 0 && settings.tolerance < 1) || settings.max_iterations < 1)
    throw Error(ErrorKind::usage, "solve(): a tolerance between 0 and 1 and at least 1 iteration are wanted");
  SpinorField x(a.lattice(), a.settings(batch));
  x.note() = b.note();
  if (guess != nullptr) {
    expect(*guess, "the guess");
    copy(x.field(), guess->field());
  }
  SolverParameters parameters;
  parameters.tolerance = settings.tolerance;
  parameters.max_iterations = settings.max_iterations;
  parameters.zero_guess = guess == nullptr;
  KrylovSolver solver(make_method(settings.method, face, batch), *lattice.grid, batch);
  const SolveReport report =
      solve_scaled(*lattice.grid, lattice.queue, Precision::double_precision, x.field(), b.field(),
                   [&](Field& y, const Field& c, const auto&) { return solver.solve(y, c, parameters); });
  lattice.queue.synchronize();
  x.field().touch();
  if (solved != nullptr) *solved = columns_of(report);
  if (!report.converged())
    throw Error(ErrorKind::not_converged, settings.method + " ended with " +
                                              std::string(name_of(report.reason())) + " after " +
                                              std::to_string(report.iterations) + " iterations");
  return x;
}

}  // namespace

SpinorField solve(SpinorOperator& a, const SpinorField& b, const KrylovSettings& settings,
                  ColumnsSolved* solved) {
  return solved_from(nullptr, a, b, settings, solved);
}

SpinorField solve_from(const SpinorField& guess, SpinorOperator& a, const SpinorField& b,
                       const KrylovSettings& settings, ColumnsSolved* solved) {
  return solved_from(&guess, a, b, settings, solved);
}

}  // namespace plaq

#include "plaq/linear_operator.hpp"

#include <map>

#include "comms/start/shared_lattice.hpp"
#include "core/operator/linear_operator.hpp"
#include "plaq/action_on_links.hpp"
#include "quarks/operator/dirac_matrix.hpp"
#include "solvers/column_scale.hpp"
#include "solvers/krylov/krylov_method.hpp"
#include "solvers/krylov/krylov_solver.hpp"

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
        Subset::full, s.spins, 3, batch * s.Ls, Precision::double_precision, of_.lattice().location()};
    spec.Ls = s.Ls;
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
    const int Ls = in.Ls();
    for (int k = 0; k < active.count(); ++k)
      for (int s = 0; s < Ls; ++s) copy_subfield(out, active[k] * Ls + s, whole, active[k] * Ls + s);
  }
  SpinorOperator& of_;
};

}  // namespace

SpinorOperator::SpinorOperator(const Lattice& lattice, int spins, int Ls)
    : lattice_(lattice), spins_(spins), Ls_(Ls) {
  if (spins != 1 && spins != 4) throw Error(ErrorKind::usage, "spins must be 4, or 1 for staggered quarks");
  if (Ls < 1 || Ls > ActiveSet::capacity)
    throw Error(ErrorKind::usage, "argument 'slices': expected 1 to " + std::to_string(ActiveSet::capacity) +
                                      ", found " + std::to_string(Ls));
}

struct DiracOperator::Parts {
  ActionOnLinks on;
  ActionPtr action = on.action;  // with bounds of its spectrum once they are needed
  std::unique_ptr<DiracMatrix> matrix = nullptr;
  std::unique_ptr<HoppingTerm> high_precision = nullptr;
  std::map<int, std::unique_ptr<LinearOperator>> full = {};  // by columns

  LinearOperator& of(int columns) {
    if (!high_precision) {
      if (action->needs_bounds()) action = action->within(action->measure_bounds(on.links));
      matrix = action->on(on.links, action->clover_field(on.links));
      high_precision = matrix->hopping(high_precision_storage);
    }
    auto& made = full[columns];
    if (!made) made = high_precision->full(columns);
    return *made;
  }

  void run(SpinorField& out, const SpinorField& in, const SpinorSettings& wanted, bool dagger) {
    if (!(in.lattice() == on.lattice))
      throw Error(ErrorKind::usage,
                  "the field lies on another lattice than the operator; make both on one Lattice");
    if (in.settings() != wanted || out.field().spec() != in.field().spec())
      throw Error(ErrorKind::usage,
                  "the field does not fit the operator; make it by the operator's vector()");
    LinearOperator& m = of(in.columns());
    dagger ? m.apply_dagger(out.field(), in.field()) : m.apply(out.field(), in.field());
    m.queue().synchronize();
    out.field().touch();
    out.note() = in.note();
  }
};

DiracOperator::DiracOperator(const ActionPtr& action, const GaugeField& gauge, const ActionSmearing& smearing)
    : SpinorOperator(gauge.lattice(), action ? action->spins() : 4, action ? action->Ls() : 1),
      parts_(std::make_unique<Parts>(Parts{action_on_links(action, gauge, smearing)})) {}
DiracOperator::~DiracOperator() = default;
void DiracOperator::apply(SpinorField& out, const SpinorField& in) {
  parts_->run(out, in, settings(in.columns()), false);
}
void DiracOperator::apply_dagger(SpinorField& out, const SpinorField& in) {
  parts_->run(out, in, settings(in.columns()), true);
}
PropagatorNote DiracOperator::note() const { return parts_->on.note; }
const ActionPtr& DiracOperator::action() const { return parts_->action; }
const ActionOnLinks& DiracOperator::on_links() const { return parts_->on; }

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
  if (!(b.lattice() == a.lattice()))
    throw Error(ErrorKind::usage, "b lies on another lattice than the operator; make both on one Lattice");
  if (b.field().spec() != face.spec(batch))
    throw Error(ErrorKind::usage, "b does not fit the operator; make it by the operator's vector()");
  if (guess != nullptr && (!(guess->lattice() == a.lattice()) || guess->field().spec() != b.field().spec()))
    throw Error(ErrorKind::usage, "x0 must have the columns, spins and precision of b");
  if (!(settings.tolerance > 0 && settings.tolerance < 1) || settings.max_iterations < 1)
    throw Error(ErrorKind::usage,
                "solve(): the tolerance must be between 0 and 1, and max_iterations at least 1");
  SpinorField x = a.vector(batch);
  x.note() = common_note(a.note(), b.note());
  if (guess != nullptr) copy(x.field(), guess->field());
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
  x.set_solved(columns_of(report));
  if (solved != nullptr) *solved = *x.solved();
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

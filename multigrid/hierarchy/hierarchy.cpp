#include "multigrid/hierarchy/hierarchy.hpp"

#include <limits>
#include <optional>
#include <utility>

#include "comms/communicator/stop_request.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/system/timer.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "multigrid/bottom/dense_inverse.hpp"
#include "multigrid/coarse/coarse_twist.hpp"
#include "multigrid/coarse/galerkin.hpp"
#include "multigrid/cycle/coarse_gcr.hpp"
#include "multigrid/cycle/fixed_gcr.hpp"
#include "multigrid/cycle/local_smoother.hpp"
#include "multigrid/cycle/polynomial_roots.hpp"
#include "multigrid/cycle/polynomial_smoother.hpp"
#include "multigrid/hierarchy/near_null_vectors.hpp"
#include "multigrid/levels/agglomeration.hpp"
#include "multigrid/levels/redistributed_solver.hpp"
#include "solvers/krylov/mr.hpp"
#include "solvers/normal_operator.hpp"

namespace plaq {
namespace {

constexpr int fitted_residuals = 8, fitted_slices = 48;
constexpr std::uint64_t fit_seed = 65537;
constexpr int unit_vectors_at_once = 128;

// R of them, as near-null vectors of the coarse lattice.
Field restricted(const Transfer& transfer, const Field& vectors) {
  Field coarse(transfer.aggregation().coarse_ptr(),
               transfer.coarse_spec(vectors.batch(), vectors.precision()));
  transfer.restrict(coarse, vectors, ActiveSet(vectors.batch()));
  return coarse;
}

// Makes `wanted` vectors: those that are missing begin as noise.
Field with_noise(LevelOperators& level, Field vectors, int wanted, std::uint64_t seed) {
  if (vectors.batch() >= wanted) return vectors;
  Field more = noise_vectors(level, wanted, seed);
  for (int k = 0; k < vectors.batch(); ++k) copy_right_hand_side(more, k, vectors, k);
  return more;
}

}  // namespace

Hierarchy::Hierarchy(LevelOperators& finest, const MultigridSettings& settings)
    : finest_(&finest), settings_(settings) {
  for (const LevelSettings& level : settings.levels) cycles_.push_back(level.cycle());
}

void Hierarchy::build(const Field& vectors) {
  coarser_.clear();
  setup_released_ = false;
  change_ = 0;
  twist_ = finest_->twist();
  has_even_shares_ = false;
  build_coarser(0, vectors);
}

void Hierarchy::build_coarser(int level, const Field& vectors) {
  make_coarse(level, vectors);
  Field coarse_vectors;
  if (!is_last(level + 1)) coarse_vectors = restricted(transfer(level), vectors);
  if (const Agglomeration* agglomeration = this->agglomeration(level)) {
    const Queue& queue = operators(level).full().queue();
    const Location there = settings(level).coarse_location.value_or(queue.location());
    if (coarse_vectors) coarse_vectors = agglomeration->gather(coarse_vectors, there, queue);
    agglomeration->on_fewer_ranks([&] {
      continue_on(level + 1, coarse_vectors);
      return 0;
    });
  } else {
    continue_on(level + 1, coarse_vectors);
  }
  fit_smoother(level);
}

// On the ranks that have `level`, a coarse one.
void Hierarchy::continue_on(int level, Field vectors) {
  if (is_last(level)) return make_bottom(level);
  LevelOperators& here = operators(level);
  vectors = with_noise(here, std::move(vectors), settings(level).vectors, settings_.seed);
  filter_vectors(here, vectors, "gcr", settings_.coarse_filter_iterations);
  build_coarser(level, vectors);
}

// A dense inverse of the coarsest lattice with its twist, where it fits.
void Hierarchy::make_bottom(int level) {
  const ScopedRange range("bottom");
  LevelOperators& here = operators(level);
  const int components = here.full().spec(1).reals() / 2;
  if (here.grid().size() == 1 &&
      fits_dense_inverse(*here.full().geometry(), components, settings_.most_dense_rows))
    coarser_lattice(level - 1).bottoms[twist_] = invert_operator(
        *here.reduced(unit_vectors_at_once), unit_vectors_at_once, at_least_half(settings_.link_storage));
}

void Hierarchy::make_coarse(int level, const Field& vectors) {
  LevelOperators& above = operators(level);
  StencilOperator& m = above.full();
  const ProcessGrid& grid = above.grid();
  const bool keeps_parity = m.chiralities() == 2;  // in even-odd forms of coarse operators
  CoarserLattice coarser;
  coarser.transfer = std::make_unique<Transfer>(
      grid,
      Aggregation(m.geometry(), settings(level).block, vectors.reals_per_site() / 2, m.chiralities(),
                  vectors.Ls(), keeps_parity ? std::nullopt : std::optional(LatticeOrder::lexicographic)),
      vectors, settings_.storage, m.queue(), settings(level).vectors);
  const GeometryPtr coarse = coarser.transfer->aggregation().coarse_ptr();
  const Extents ranks = ranks_of(level + 1, grid.ranks(), coarse->global());
  if (ranks != grid.ranks() ||
      settings(level).coarse_location.value_or(m.queue().location()) != m.queue().location())
    coarser.agglomeration = std::make_shared<const Agglomeration>(grid, coarse, ranks);
  coarser_.push_back(std::move(coarser));
  make_coarse_operators(level);
}

// Makes those of the lattice below `level` by its transfer.
void Hierarchy::make_coarse_operators(int level) {
  LevelOperators& above = operators(level);
  StencilOperator& m = above.full();
  const Queue& queue = m.queue();
  CoarserLattice& coarser = coarser_lattice(level);
  CoarseLinks links =
      galerkin_links(above.grid(), m, *coarser.transfer, m.spec(1).precision, above.transport());
  if (!coarser.agglomeration) {
    coarser.operators = make_coarse_level(above.grid(), std::move(links), settings_.link_storage, queue,
                                          above.transport(), twist_);
    return;
  }
  const Location there = settings(level).coarse_location.value_or(queue.location());
  const auto gathered = [&](const Field& all) { return coarser.agglomeration->gather(all, there, queue); };
  links.nearest = gathered(links.nearest);
  for (Field& diagonal : links.diagonal) diagonal = gathered(diagonal);
  coarser.agglomeration->on_fewer_ranks([&] {
    const ProcessGrid& grid = coarser.agglomeration->grid();
    coarser.operators = make_coarse_level(grid, std::move(links), settings_.link_storage,
                                          there == queue.location() ? queue : Queue(there),
                                          make_transport(grid, there, TransportKind::host), twist_);
    return 0;
  });
}

// Ranks of a coarse lattice if the one above it is on `above`.
Extents Hierarchy::ranks_of(int level, const Extents& above, const Extents& global) const {
  Extents ranks = above;
  if (settings_.least_sites > 0) ranks = ranks_for_level(ranks, global, settings_.least_sites);
  return is_last(level) ? ranks : ranks_for_blocks(ranks, global, settings(level).block);
}

// To what a coarse correction leaves of noise: on residuals of later cycles, which are low modes, it would
// smooth nothing. That correction shows, too, how many iterations coarse solves need.
void Hierarchy::fit_smoother(int level) {
  const ScopedRange range("smoother");
  const int steps = parameters(level).smoothing_steps;
  coarser_lattice(level).roots.clear();
  LevelOperators& here = operators(level);
  interruption_point(here.grid().comm());
  const int residuals = here.batch_of(fitted_residuals, fitted_slices);
  const auto s = here.smoothed(residuals);
  const auto correction = cycle(level, residuals, false);
  const Field noise = noise_vectors(here, residuals, fit_seed);
  const auto wide = here.reduced(residuals);
  Field exact(s->geometry(), wide->spec(residuals));
  Field r(s->geometry(), s->spec(residuals)), e(r.geometry_ptr(), r.spec()), se(r.geometry_ptr(), r.spec());
  wide->reduce_guess(exact, noise);
  s->queue().synchronize();
  copy(r, exact);
  correction->apply(e, r);
  coarser_lattice(level).iterations = correction->coarse_iterations();
  if (settings_.smoother != SmootherKind::polynomial || steps > most_roots) return;
  s->apply(se, e);
  blas::Workspace workspace(s->queue(), residuals);
  const std::vector<blas::Coefficients> minus(static_cast<std::size_t>(residuals), {1, {-1, 0, 1, 0}});
  blas::update<blas::Axpby>(workspace, minus, {&se, &r});
  std::optional<NormalOperator> normal;
  if (here.is_around_zero()) normal.emplace(*s, residuals, NormalOperator::First::adjoint);
  LinearOperator& smoothed = normal ? static_cast<LinearOperator&>(*normal) : *s;
  std::optional<ClosedHalos> closed;
  if (settings_.local_smoother) closed.emplace(here.transport());
  if (const auto fitted = polynomial_roots(smoothed, here.grid(), r, steps))
    coarser_lattice(level).roots = fitted->roots;
}

// From the coarsest lattice up: what smooths a lattice is fitted to what those below leave.
void Hierarchy::fit_smoothers(int level) {
  if (!is_last(level + 1)) below(level, [&] { fit_smoothers(level + 1); });
  fit_smoother(level);
}

void Hierarchy::use(const std::vector<CycleParameters>& cycles) {
  require(cycles.size() == settings_.levels.size(), "parameters of cycles for other lattices");
  cycles_ = cycles;
  if (!coarser_.empty()) fit_smoothers(0);
}

void Hierarchy::release_setup_data() {
  setup_released_ = true;
  for (CoarserLattice& coarser : coarser_)
    if (coarser.operators) coarser.operators->release_setup_data();
}

void Hierarchy::shift_mass(LevelOperators& finest, double change) {
  const bool released =
      std::exchange(setup_released_, false);  // cycles that fit what smooths are part of a setup
  finest_ = &finest;
  twist_ = finest.twist();
  const double made_with = std::exchange(change_, std::numeric_limits<double>::quiet_NaN());
  shift_coarser(0, change, change == made_with);
  change_ = change;
  if (released) release_setup_data();
}

void Hierarchy::shift_coarser(int level, double change, bool same_mass) {
  const bool shifts = operators(level).shifts_with_mass();
  if (!shifts && !same_mass) make_coarse_operators(level);
  below(level, [&] {
    if (shifts) coarser_lattice(level).operators->shift_mass(change, twist_);
    coarser_lattice(level).bottoms.clear();
    if (is_last(level + 1))
      make_bottom(level + 1);
    else
      shift_coarser(level + 1, change, same_mass);
  });
  fit_smoother(level);
}

// Does a task on the ranks that have the lattice below `level`.
template <class Task>
void Hierarchy::below(int level, const Task& task) {
  if (const Agglomeration* agglomeration = this->agglomeration(level))
    agglomeration->on_fewer_ranks([&] {
      task();
      return 0;
    });
  else
    task();
}

void Hierarchy::follow(LevelOperators& finest) {
  change_ = std::numeric_limits<double>::quiet_NaN();
  set_twist(finest, finest.twist());
}

void Hierarchy::set_twist(LevelOperators& finest, const Twist& twist) {
  if (twist.even != twist.odd && !std::exchange(has_even_shares_, true)) make_even_shares(0);
  const Twist before = std::exchange(twist_, twist);
  try {
    twist_coarser(0);
  } catch (...) {
    twist_ = before;
    twist_coarser(0);  // all that it needs is there
    throw;
  }
  finest_ = &finest;
}

// Makes those of the lattices below `level`.
void Hierarchy::make_even_shares(int level) {
  StencilOperator& m = operators(level).full();
  FieldSpec even = m.spec(1);
  even.subset = Subset::even;
  Field share = level == 0 ? even_share(transfer(level), m.geometry(), even, m.queue())
                           : even_share(transfer(level), coarser_lattice(level - 1).operators->even_share());
  if (const Agglomeration* agglomeration = this->agglomeration(level))
    share = agglomeration->gather(share, settings(level).coarse_location.value_or(m.queue().location()),
                                  m.queue());
  below(level, [&] {
    coarser_lattice(level).operators->set_even_share(std::move(share));
    if (!is_last(level + 1)) make_even_shares(level + 1);
  });
}

void Hierarchy::twist_coarser(int level) {
  below(level, [&] {
    coarser_lattice(level).operators->set_twist(twist_);
    if (!is_last(level + 1))
      twist_coarser(level + 1);
    else if (coarser_lattice(level).bottoms.count(twist_) == 0)
      make_bottom(level + 1);
  });
}

std::unique_ptr<Cycle> Hierarchy::cycle(int level, int batch, bool with_smoother) {
  LevelOperators& here = operators(level);
  std::unique_ptr<SchurOperator> s = here.smoothed(batch);
  std::unique_ptr<Smoother> smoother;
  const auto& roots = coarser_lattice(level).roots;
  if (with_smoother && !roots.empty()) {
    smoother = std::make_unique<PolynomialSmoother>(
        *s, here.grid(), batch, roots,
        here.is_around_zero() ? PolynomialOf::normal_operator : PolynomialOf::itself);
  } else if (with_smoother && here.is_around_zero()) {
    throw Error(ErrorKind::not_converged,
                "no polynomial of the normal operator smooths, and minimal residuals do not where a spectrum "
                "lies around 0");
  } else if (with_smoother) {
    MethodSettings smoothing;
    smoothing.omega = settings_.omega;
    smoother =
        std::make_unique<MrSmoother>(*s, here.grid(), batch, parameters(level).smoothing_steps, smoothing);
  }
  if (smoother && settings_.local_smoother)
    smoother = std::make_unique<LocalSmoother>(std::move(smoother), here.transport());
  return std::make_unique<Cycle>(
      std::move(s), transfer(level), coarse_solver(level + 1, batch), std::move(smoother), batch,
      LevelName{setup_released_ ? "solve" : "setup", level, to_string(here.full().geometry()->global())});
}

// Coarse solver that the lattice above `level` asks for.
std::unique_ptr<CoarseSolver> Hierarchy::coarse_solver(int level, int batch) {
  const CoarserLattice& coarser = coarser_lattice(level - 1);
  if (!coarser.agglomeration) return solver_there(level, batch);
  const FieldSpec vectors =
      coarser.transfer->coarse_spec(batch, operators(level - 1).full().spec(1).precision);
  const Queue& queue = operators(level - 1).full().queue();
  std::unique_ptr<CoarseSolver> solver;
  coarser.agglomeration->on_fewer_ranks([&] {
    solver = solver_there(level, batch);
    return 0;
  });
  const Queue there = coarser.operators ? coarser.operators->full().queue() : queue;
  return std::make_unique<RedistributedSolver>(coarser.agglomeration, vectors, queue, std::move(solver),
                                               there);
}

// On the ranks that have the lattice.
std::unique_ptr<CoarseSolver> Hierarchy::solver_there(int level, int batch) {
  LevelOperators& here = operators(level);
  const auto& bottoms = coarser_lattice(level - 1).bottoms;
  if (const auto bottom = bottoms.find(twist_); bottom != bottoms.end())
    return std::make_unique<DenseInverse>(here.reduced(batch), bottom->second, batch);
  std::unique_ptr<LinearOperator> preconditioner;
  if (!is_last(level)) preconditioner = cycle(level, batch);
  // Once the setup is over nobody waits for norms.
  if (const int iterations = coarser_lattice(level - 1).iterations;
      setup_released_ && preconditioner && iterations > 0)
    return std::make_unique<FixedGcr>(here.grid(), here.reduced(batch), std::move(preconditioner), batch,
                                      iterations);
  CoarseSolveSettings settings = this->settings(level - 1).coarse;
  settings.tolerance = parameters(level - 1).coarse_tolerance;
  return std::make_unique<CoarseGcr>(here.grid(), here.reduced(batch), std::move(preconditioner), batch,
                                     settings);
}

}  // namespace plaq

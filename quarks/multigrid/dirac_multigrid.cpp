#include "quarks/multigrid/dirac_multigrid.hpp"

#include <fmt/format.h>

#include <utility>

#include "comms/transport/transport_choice.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "multigrid/levels/agglomeration.hpp"
#include "quarks/multigrid/setup_file.hpp"

namespace plaq {

DiracLevel::DiracLevel(DiracMatrix& matrix, const LinkStorage& storage, const LinkStorage& cycles)
    : matrix_(matrix), term_(matrix.hopping(storage)) {
  if (cycles != storage) cycle_term_ = matrix.hopping(cycles);
  full_ = term_->coarsened();
  if (const auto* wilson = dynamic_cast<const WilsonOperator*>(full_.get()))
    twisted_mass_ = wilson->twisted_mass();
}

std::unique_ptr<SchurOperator> DiracLevel::form_of(HoppingTerm& term, int batch, double nu,
                                                   int flavour) const {
  auto form = term.coarsened_form(batch);
  if (twisted_mass_ != 0) dynamic_cast<WilsonSchur&>(*form).set_twist(nu, flavour);
  return form;
}

std::unique_ptr<SchurOperator> DiracLevel::reduced(int batch, double nu, int flavour) {
  return form_of(*term_, batch, nu, flavour);
}

std::unique_ptr<SchurOperator> DiracLevel::smoothed(int batch, double nu, int flavour) {
  return form_of(cycle_term_ ? *cycle_term_ : *term_, batch, nu, flavour);
}

Twist DiracLevel::twist_of(double nu, int flavour) const {
  const double mu = twisted_mass_;
  return mu == 0 ? Twist{nu, 0} : Twist{flavour * mu + nu, flavour * mu};
}

namespace {

// Domain walls: iterations and steps are of the normal operator, which takes more of them.
constexpr int filter_of_walls = 12, steps_of_walls = 8, coarse_iterations_of_walls = 32;
constexpr double coarse_tolerance_of_walls = 1e-3;

// A DiracLevel of twisted-mass quarks with another twist. That level must outlive this object.
class TwistedDiracLevel final : public LevelOperators {
 public:
  TwistedDiracLevel(DiracLevel& level, double nu, int flavour) : level_(level), nu_(nu), flavour_(flavour) {}
  const ProcessGrid& grid() const override { return level_.grid(); }
  const std::shared_ptr<Transport>& transport() const override { return level_.transport(); }
  Twist twist() const override { return level_.twist_of(nu_, flavour_); }
  StencilOperator& full() override { return level_.full(); }
  std::unique_ptr<SchurOperator> reduced(int batch) override { return level_.reduced(batch, nu_, flavour_); }
  std::unique_ptr<SchurOperator> smoothed(int batch) override {
    return level_.smoothed(batch, nu_, flavour_);
  }

 private:
  DiracLevel& level_;
  double nu_;
  int flavour_;
};

// An application of multigrid, for ranks that have it.
class Application final : public CoarseSolver {
 public:
  explicit Application(Multigrid& multigrid) : multigrid_(multigrid) {}
  void solve(Field& e, const Field& b, const ActiveSet& active) override { multigrid_.apply(e, b, active); }
  int iterations() const override { return 1; }
  Work work(int batch) const override { return multigrid_.work(batch); }

 private:
  Multigrid& multigrid_;
};

// True if cycles are in the precision of the solver's vectors, and smoothers see the whole operator.
bool cycles_know_residual(const SolverSettings& settings, Location location) {
  return iterated_storage(settings).precision == settings.multigrid->precision_at(location) &&
         !settings.multigrid->local_smoother;
}

}  // namespace

std::unique_ptr<DiracLevel> DiracMultigrid::finest_of(DiracMatrix& matrix, const SolverSettings& settings) {
  // Links of 8 reals are in a gauge of their own.
  const int reconstruction = settings.inner.reconstruction == 8 ? 12 : settings.inner.reconstruction;
  const Precision of_cycles = settings.multigrid->precision_at(matrix.links().queue.location());
  auto level = std::make_unique<DiracLevel>(matrix, LinkStorage(Precision::single_precision, reconstruction),
                                            LinkStorage(of_cycles, reconstruction));
  finest_ = level.get();
  return level;
}

MultigridSettings multigrid_settings(const SolverSettings& settings, const Action& action,
                                     const Extents& lattice, Location location) {
  MultigridSettings found =
      settings.multigrid->settings(lattice, location, settings.multigrid->solves, settings.tolerance);
  if (action.has_asymmetric_form()) return found;
  // Domain walls, as measured on 24^3x64 (docs/notes/speed-domain-walls.md): coarse solves have to find the
  // lowest modes, and a longer filter is worth what rounds are not.
  const MultigridOptions& given = *settings.multigrid;
  found.filter_iterations *= filter_of_walls;
  found.least_rounds = found.most_rounds = 0;
  const MultigridOptions usual;
  if (given.dense_rows == usual.dense_rows)
    found.most_dense_rows = location == Location::device ? most_dense_rows : 2 * usual.dense_rows;
  // 16 bits would take four times the coarse iterations.
  if (!given.link_storage) found.link_storage = Precision::single_precision;
  for (LevelSettings& level : found.levels) {
    level.chooses_steps = level.chooses_tolerance = false;
    if (!given.smoothing_steps) level.smoothing_steps = steps_of_walls;
  }
  LevelSettings& finest = found.levels.front();
  if (!given.coarse_tolerance) finest.coarse.tolerance = coarse_tolerance_of_walls;
  if (given.coarse_iterations == usual.coarse_iterations)
    finest.coarse.most_iterations = coarse_iterations_of_walls;
  return found;
}

SetupStart SetupMemory::start() const {
  SetupStart start;
  start.vectors = vectors;
  start.rounds = report.rounds;
  start.cycles = report.cycles;
  start.finished = is_finished;
  if (reduction > 0) start.refreshed_from = reduction;
  return start;
}

MultigridSetup::AfterRound SetupMemory::keep() {
  return [this](const SetupReport&, const Field& made) { vectors = made; };
}

Field SetupMemory::even_vectors(const GeometryPtr& geometry, const ProcessGrid& grid,
                                const Queue& queue) const {
  if (restored) return restored;
  const int count = grid.comm().max(vectors ? vectors.batch() : 0);
  if (count == 0) return {};
  const auto spec = [&](Subset subset) {
    return spinor_spec(subset, count, Precision::single_precision, queue.location());
  };
  Field on_all = vectors;
  if (agglomeration) {
    Field there;  // vectors may be on the equal geometry of an earlier setup
    if (agglomeration->here()) {
      there = Field(agglomeration->geometry(), vectors.spec());
      copy(there, vectors);
    }
    on_all = Field(geometry, spec(Subset::full));
    agglomeration->scatter(on_all, there, queue);
  }
  Field even(geometry, spec(Subset::even));
  copy_parity(even, on_all, 0, queue);
  queue.synchronize();
  return even;
}

DiracMultigrid::DiracMultigrid(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings,
                               const Make& make, SetupMemory* memory)
    : on_all_(matrix.links()),
      Ls_(action->Ls()),
      settings_(
          multigrid_settings(settings, *action, on_all_.gauge.geometry().global(), on_all_.queue.location())),
      precision_(iterated_storage(settings).precision),
      knows_residual_(cycles_know_residual(settings, on_all_.queue.location())) {
  require(action->has_multigrid(), "multigrid of quarks that have none");
  const Extents& on = on_all_.grid->ranks();
  const Extents ranks = ranks_for_blocks(on, geometry()->global(), settings_.levels.front().block);
  if (ranks != on) agglomerate(ranks);
  if (memory != nullptr) take_restored(*memory);
  if (agglomeration_) {
    on_fewer_ranks(action, [&] {
      multigrid_ = make(*matrix_);
      report_ = multigrid_->report();
    });
  } else {
    multigrid_ = make(matrix);
    report_ = multigrid_->report();
  }
}

DiracMultigrid::DiracMultigrid(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings,
                               const SetupPaths& setup)
    : DiracMultigrid(matrix, action, settings, Make([&](DiracMatrix& here) {
                       SetupFile file(here.links(), *action, settings_, setup);
                       SetupStart start = file.read(here.links().queue.location());
                       return std::make_unique<Multigrid>(finest_of(here, settings), settings_,
                                                          std::move(start), file.keep());
                     })) {}

DiracMultigrid::DiracMultigrid(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings,
                               SetupMemory& memory)
    : DiracMultigrid(matrix, action, settings, Make([&](DiracMatrix& here) {
                       return std::make_unique<Multigrid>(finest_of(here, settings), settings_,
                                                          memory.start(), memory.keep());
                     }),
                     &memory) {
  memory.report = report_;
  if (memory.reduction == 0) memory.reduction = report_.kept.reduction;
}

// On both parities, and on the ranks that have a part of multigrid. What they are on odd sites is made of the
// even ones.
void DiracMultigrid::take_restored(SetupMemory& memory) const {
  memory.agglomeration = agglomeration_;
  if (!memory.restored) return;
  FieldSpec spec = memory.restored.spec();
  spec.location = queue().location();
  Field even(geometry(), spec);
  copy(even, memory.restored);
  spec.subset = Subset::full;
  Field both(geometry(), spec);
  copy_parity(both, even, 0, queue());
  queue().synchronize();
  memory.vectors = agglomeration_ ? agglomeration_->gather(both, spec.location, queue()) : both;
  memory.restored = {};
}

void DiracMultigrid::agglomerate(const Extents& ranks) {
  const Extents& all = on_all_.grid->ranks();
  log::warning(
      fmt::format("multigrid is on {} of the {} ranks: its blocks of {} do not divide the {} sites of a "
                  "rank; blocks that do would be on all",
                  to_string(ranks), to_string(all), to_string(settings_.levels.front().block),
                  to_string(geometry()->local())));
  agglomeration_ = std::make_shared<const Agglomeration>(*on_all_.grid, geometry(), ranks);
}

// Ranks that have a part do `work`, with the matrix on what the links are now; all know of the report.
void DiracMultigrid::on_fewer_ranks(const ActionPtr& action, const std::function<void()>& work) {
  const Location location = queue().location();
  const Field gauge = agglomeration_->gather(on_all_.gauge, location, queue());
  Field clover_links;
  if (on_all_.clover_links) clover_links = agglomeration_->gather(on_all_.clover_links, location, queue());
  struct Known {
    int rounds;
    double reduction, seconds;
    bool finished;
  };
  const Known known = agglomeration_->on_fewer_ranks([&] {
    const auto transport =
        choose_transport(agglomeration_->grid(), location, TransportKind::automatic).transport;
    const FermionLinks here{&agglomeration_->grid(), gauge, queue(), transport, clover_links};
    matrix_ = action->on(here, action->clover_field(here));
    work();
    matrix_->release_clover();
    return Known{report_.rounds, report_.kept.reduction, report_.seconds, report_.finished};
  });
  report_.rounds = known.rounds;
  report_.kept.reduction = known.reduction;
  report_.seconds = known.seconds;
  report_.finished = known.finished;
}

void DiracMultigrid::set_twist(double nu, int flavour) {
  if (nu == nu_ && flavour == flavour_) return;
  const auto set = [&] {
    const Twist twist = finest_->twist_of(nu, flavour);
    const bool is_doublet = finest_->twist() != Twist();
    multigrid_->set_twist(twist,
                          is_doublet ? std::make_unique<TwistedDiracLevel>(*finest_, nu, flavour) : nullptr);
    return 0;
  };
  agglomeration_ ? agglomeration_->on_fewer_ranks(set) : set();
  nu_ = nu;
  flavour_ = flavour;
}

void DiracMultigrid::release_matrix() {
  last_ = nullptr;
  nu_ = 0;
  flavour_ = 1;
  redistributed_.clear();
  if (multigrid_) multigrid_->release_finest();
  finest_ = nullptr;
  matrix_.reset();
}

void DiracMultigrid::move_to(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings,
                             const std::function<void(DiracMatrix&)>& move) {
  release_matrix();
  on_all_ = matrix.links();
  precision_ = iterated_storage(settings).precision;
  knows_residual_ = cycles_know_residual(settings, queue().location());
  const auto moved = [&](DiracMatrix& here) {
    move(here);
    report_ = multigrid_->report();
  };
  if (agglomeration_)
    on_fewer_ranks(action, [&] { moved(*matrix_); });
  else
    moved(matrix);
}

void DiracMultigrid::shift_mass(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings,
                                double change) {
  move_to(matrix, action, settings,
          [&](DiracMatrix& here) { multigrid_->shift_mass(finest_of(here, settings), change); });
}

void DiracMultigrid::follow(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings) {
  move_to(matrix, action, settings,
          [&](DiracMatrix& here) { multigrid_->follow(finest_of(here, settings)); });
}

void DiracMultigrid::renew(DiracMatrix& matrix, const ActionPtr& action, const SolverSettings& settings,
                           SetupMemory& memory) {
  move_to(matrix, action, settings, [&](DiracMatrix& here) {
    multigrid_->renew(finest_of(here, settings), memory.start(), memory.keep());
  });
  memory.report = report_;
}

FieldSpec DiracMultigrid::spec(int batch) const {
  return five_dimensional_spec(Subset::even, batch, Ls_, precision_, queue().location());
}

DiracMultigrid::Redistributed& DiracMultigrid::redistributed(int batch) {
  Redistributed& redistributed = redistributed_[batch];
  if (!redistributed.solver) {
    const MemoryName name("multigrid");
    redistributed.solver = std::make_unique<RedistributedSolver>(
        agglomeration_, spec(batch), queue(),
        multigrid_ ? std::make_unique<Application>(*multigrid_) : nullptr, queue());
    if (knows_residual_) redistributed.residual = Field(geometry(), spec(batch));
  }
  return redistributed;
}

Work DiracMultigrid::work(int batch) const {
  if (!agglomeration_) return multigrid_->work(batch);
  const auto found = redistributed_.find(batch);
  return found == redistributed_.end() ? Work() : found->second.solver->work(batch);
}

const Field* DiracMultigrid::residual() const {
  if (!agglomeration_) return multigrid_->residual();
  return knows_residual_ && last_ != nullptr ? &last_->residual : nullptr;
}

// Ranks without a part of it know the residual as well: whether it is used
// must not depend on the process grid.
void DiracMultigrid::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(!dagger, "multigrid has no adjoint");
  if (!agglomeration_) return multigrid_->apply(out, in, active);
  Redistributed& redistributed = this->redistributed(in.batch());
  redistributed.solver->solve(out, in, active);
  if (knows_residual_)
    redistributed.solver->bring_back(redistributed.residual, multigrid_ ? multigrid_->residual() : nullptr,
                                     active);
  last_ = &redistributed;
}

}  // namespace plaq

#include "dynamics/quark/trajectory_setup.hpp"

#include <algorithm>

namespace plaq {
namespace {

void visit(StateArchive& archive, SetupMemory& memory, const SharedLattice& lattice) {
  archive(memory.reduction);
  archive(memory.report.rounds);
  std::size_t cycles = memory.report.cycles.size();
  archive(cycles);
  archive.expect(cycles <= 64);
  memory.report.cycles.resize(cycles);
  for (CycleParameters& cycle : memory.report.cycles) {
    archive(cycle.smoothing_steps);
    archive(cycle.coarse_tolerance);
  }
  Field vectors;
  if (!archive.restores()) vectors = memory.even_vectors(lattice.geometry, *lattice.grid, lattice.queue);
  bool any = static_cast<bool>(vectors);
  archive(any);
  if (any) archive.field(vectors);
  if (!archive.restores()) return;
  memory.vectors = {};
  memory.restored = vectors;
}

void visit(StateArchive& archive, Field& links) {
  bool any = static_cast<bool>(links);
  archive(any);
  if (any)
    archive.field(links);
  else
    links = {};
}

// In memory that `to` has, if it has any.
void copy_links(Field& to, const Field& from) {
  if (!from) {
    to = {};
    return;
  }
  if (!to) to = Field(from.geometry_ptr(), gauge_spec(from.precision(), from.location()));
  copy(to, from);
}

// Restored links where others are.
Field restored_links(const Field& restored, const FermionLinks& others) {
  if (!restored) return {};
  Field there(others.gauge.geometry_ptr(), gauge_spec(restored.precision(), others.queue.location()));
  copy(there, restored);
  return there;
}

}  // namespace

void TrajectorySetup::forget(const Field& links) {
  multigrid_.reset();
  memory_ = {};
  age_.begin();
  rounds_ = 0;
  if (!first_->links.is_of(links)) *first_ = {VersionOf(links), std::nullopt};
}

void TrajectorySetup::release() {
  if (multigrid_) multigrid_->release_matrix();
}

DiracMultigrid& TrajectorySetup::on(DiracMatrix& matrix, const FermionLinks& links) {
  try {
    if (reduction() == 0) {
      memory_ = first_->memory.value_or(SetupMemory());
      memory_.reduction = 0;  // its own is not known yet
      make(links,
           [&] { multigrid_ = std::make_unique<DiracMultigrid>(matrix, action_, settings_, memory_); });
      if (!first_->memory) first_->memory = memory_;
      return *multigrid_;
    }
    if (!multigrid_) restore(links);
    age_.move();
    if (age_.renewal_pays())
      make(links, [&] { multigrid_->renew(matrix, action_, settings_, memory_); });
    else
      multigrid_->follow(matrix, action_, settings_);
    origin_.reset();
  } catch (...) {
    multigrid_.reset();
    origin_.reset();
    memory_ = {};
    throw;
  }
  return *multigrid_;
}

// Makes a setup of these links.
void TrajectorySetup::make(const FermionLinks& links, const std::function<void()>& work) {
  const int before = memory_.report.rounds;
  work();
  rounds_ += std::max(0, memory_.report.rounds - before);
  age_.begin();
  links.queue.synchronize();
  copy_links(hops_, links.gauge);
  copy_links(clover_, links.clover_links);
}

// Makes multigrid of the links and the vectors of the last setup.
void TrajectorySetup::restore(const FermionLinks& links) {
  hops_ = restored_links(hops_, links);
  clover_ = restored_links(clover_, links);
  const FermionLinks there{links.grid, hops_, links.queue, links.transport, clover_};
  origin_ = action_->on(there, action_->clover_field(there));
  memory_.is_finished = true;
  multigrid_ = std::make_unique<DiracMultigrid>(*origin_, action_, settings_, memory_);
  memory_.is_finished = false;
}

void TrajectorySetup::remember(StateArchive& archive, const SharedLattice& lattice) {
  archive(rounds_);
  bool has_setup = reduction() > 0;
  archive(has_setup);
  if (archive.restores()) {
    multigrid_.reset();
    memory_ = {};
    age_.begin();
  }
  if (has_setup) {
    visit(archive, memory_, lattice);
    visit(archive, hops_);
    visit(archive, clover_);
    return age_.visit(archive);
  }
  if (!archive.is_new(first_.get())) return;
  bool any = first_->memory.has_value();
  archive(any);
  if (archive.restores()) first_->memory = any ? std::optional<SetupMemory>(std::in_place) : std::nullopt;
  if (any) visit(archive, *first_->memory, lattice);
}

}  // namespace plaq

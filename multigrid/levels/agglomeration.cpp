#include "multigrid/levels/agglomeration.hpp"

#include <optional>
#include <utility>

#include "comms/grid/collective.hpp"
#include "comms/grid/merged_grid.hpp"
#include "multigrid/levels/outcome.hpp"

namespace plaq {

Agglomeration::Agglomeration(const ProcessGrid& grid, GeometryPtr on_all, const Extents& ranks)
    : all_(grid), on_all_(std::move(on_all)), on_fewer_(on_all_), merges_(ranks != grid.ranks()) {
  const Decomposition& d = on_all_->decomposition();
  require(d.ranks == grid.ranks() && d.position == grid.position(), "a level of another process grid");
  if (!merges_) return;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    if (ranks[mu] < 1 || grid.ranks()[mu] % ranks[mu] != 0)
      throw Error(ErrorKind::comms, "a level of process grid " + to_string(grid.ranks()) +
                                        " cannot move to " + to_string(ranks) + ": " +
                                        std::to_string(ranks[mu]) + " in " + "xyzt"[mu] +
                                        " does not divide " + std::to_string(grid.ranks()[mu]));
    merge_[mu] = grid.ranks()[mu] / ranks[mu];
  }
  fewer_ = merged_grid(grid, merge_);
  on_fewer_ =
      fewer_ ? fewer_->general_geometry(on_all_->global(), on_all_->order(), on_all_->decomposition().forced)
             : nullptr;
  Extents box = grid.position();
  for (std::size_t mu = 0; mu < 4; ++mu) box[mu] /= merge_[mu];
  box_ = grid.comm().split(cell_of(box, ranks), fewer_ ? 0 : 1);
  if (fewer_) workers_ = fewer_->comm().duplicate();
}

const ProcessGrid& Agglomeration::grid() const {
  require(here(), "the process grid of a level on a rank that has no part of it");
  return fewer_ ? *fewer_ : all_;
}

double Agglomeration::share_of_ranks() const { return 1.0 / (merge_[0] * merge_[1] * merge_[2] * merge_[3]); }

Redistribution Agglomeration::redistribution(const FieldSpec& on_all, Location location) const {
  return {all_, merge_, on_all_, on_fewer_, on_all, location};
}

Field Agglomeration::gather(const Field& on_all, Location location, const Queue& queue) const {
  FieldSpec spec = on_all.spec();
  spec.location = location;
  Field on_fewer;
  if (here()) on_fewer = Field(on_fewer_, spec);
  redistribution(on_all.spec(), location)
      .gather(here() ? &on_fewer : nullptr, on_all, ActiveSet(on_all.batch()), queue);
  return on_fewer;
}

void Agglomeration::scatter(Field& on_all, const Field& on_fewer, const Queue& queue) const {
  redistribution(on_all.spec(), here() ? on_fewer.location() : on_all.location())
      .scatter(on_all, here() ? &on_fewer : nullptr, ActiveSet(on_all.batch()), queue);
}

void Agglomeration::work_and_tell(const std::function<void()>& work, void* found, std::size_t bytes) const {
  if (!merges_) return work();
  std::optional<Error> failure;
  if (here()) {
    try {
      all_or_none(workers_, work);
    } catch (const Error& error) {
      failure = error;
    }
    tell_outcome(found, bytes, failure, box_);
  } else {
    failure = await_outcome(found, bytes, box_);
  }
  if (failure) throw Error(*failure);
}

}  // namespace plaq

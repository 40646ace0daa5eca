#include "multigrid/multigrid.hpp"

#include <utility>

#include "core/system/dry_run.hpp"

namespace plaq {

Multigrid::Multigrid(std::unique_ptr<LevelOperators> finest, MultigridSettings settings, SetupStart start,
                     const MultigridSetup::AfterRound& after_round)
    : finest_(std::move(finest)),
      twist_(finest_->twist()),
      settings_(std::move(settings)),
      queue_(finest_->full().queue()),
      spec_(finest_->reduced(1)->spec(1)),
      hierarchy_(*finest_, settings_),
      setup_(*finest_, hierarchy_, settings_) {
  require(!settings_.levels.empty(), "multigrid without a coarse lattice");
  report_ = setup_.run(std::move(start), after_round);
  setup_.forget_vectors();
  hierarchy_.release_setup_data();
}

void Multigrid::release_finest() {
  last_ = nullptr;
  cycles_.clear();
  twisted_.clear();
  finest_.reset();
}

void Multigrid::set_twist(const Twist& twist, std::unique_ptr<LevelOperators> finest) {
  if (twist == twist_) return;
  LevelOperators* level = finest_.get();
  if (const Twist own = finest_->twist(); twist != own) {
    std::unique_ptr<LevelOperators>& kept = twisted_[twist];
    require(kept != nullptr || finest != nullptr || twist.odd == own.odd,
            "another twist of odd sites without the finest operators of it");
    if (!kept && finest) kept = std::move(finest);
    if (!kept) kept = std::make_unique<TwistedLevel>(*finest_, twist.even - own.even);
    level = kept.get();
  }
  hierarchy_.set_twist(*level, twist);
  twist_ = twist;
}

void Multigrid::take(std::unique_ptr<LevelOperators> finest) {
  require(finest->full().queue().stream() == queue_.stream(), "multigrid of two operators on two queues");
  release_finest();
  finest_ = std::move(finest);
  twist_ = finest_->twist();
}

void Multigrid::shift_mass(std::unique_ptr<LevelOperators> finest, double change) {
  take(std::move(finest));
  report_ = setup_.shift_mass(*finest_, change);
}

void Multigrid::follow(std::unique_ptr<LevelOperators> finest) {
  take(std::move(finest));
  setup_.follow(*finest_);
}

void Multigrid::renew(std::unique_ptr<LevelOperators> finest, SetupStart start,
                      const MultigridSetup::AfterRound& after_round) {
  take(std::move(finest));
  report_ = setup_.renew(*finest_, std::move(start), after_round);
  setup_.forget_vectors();
  hierarchy_.release_setup_data();
}

FieldSpec Multigrid::spec(int batch) const {
  FieldSpec spec = spec_;
  spec.subfields = batch;
  return spec;
}

Work Multigrid::work(int batch) const {
  for (const auto& [of, cycle] : cycles_)
    if (std::get<0>(of) == batch) return cycle->work(batch);
  return {};
}

CycleInPrecision& Multigrid::cycle(int batch, Precision precision) {
  std::unique_ptr<CycleInPrecision>& cycle = cycles_[{batch, precision, twist_}];
  const MemoryName name("multigrid");
  if (!cycle)
    cycle = std::make_unique<CycleInPrecision>(finest_->grid(), hierarchy_.cycle(0, batch), precision, batch);
  return *cycle;
}

void Multigrid::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(!dagger, "multigrid has no adjoint");
  CycleInPrecision& of_batch = cycle(in.batch(), in.precision());
  of_batch.apply(out, in, active);
  last_ = &of_batch;
}

}  // namespace plaq

#include "kernels/quark/staggered_smearing.hpp"

#include <utility>

#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"

namespace plaq {
namespace {

constexpr auto wide_links = Precision::double_precision;

}  // namespace

StaggeredSmearing::StaggeredSmearing(const ProcessGrid& grid, const Field& gauge,
                                     const GaussianSmearingParameters& parameters, const Queue& queue,
                                     std::shared_ptr<Transport> transport)
    : grid_(&grid),
      parameters_(parameters),
      plain_(gauge.geometry_ptr()),
      extended_(gauge.geometry().extended(2)),
      queue_(queue),
      transport_(std::move(transport)),
      two_links_(extended_, gauge_spec(wide_links, queue.location())) {
  expect_possible(parameters, 2);
  require(gauge.geometry().halo_depth() == 0, "smearing takes its gauge field without halo");
  const ScopedRange range("two_links");
  Field thin(extended_, two_links_.spec());
  copy(thin, with_momentum_phases(with_boundary_signs(gauge, parameters.boundary), parameters.momentum));
  copy(two_links_, gauge);  // that the links in time are numbers
  ExtendedHalo halo(*grid_, extended_, thin.spec(), transport_);
  constexpr ExtendedHaloContent space{0x7};
  halo.exchange(thin, queue_, space);
  dispatch(queue_.location(), wide_links,
           [&](auto kind) { launch_two_links<typename decltype(kind)::target>(thin, two_links_, queue_); });
  two_links_.touch();
  halo.exchange(two_links_, queue_, space);
  queue_.synchronize();  // before the thin links go
}

StaggeredSmearing::Batch& StaggeredSmearing::batch(int subfields) {
  Batch& entry = batches_[subfields];
  if (!entry.halo) {
    const FieldSpec spec = staggered_spec(Subset::full, subfields, wide_links, queue_.location());
    entry.halo = std::make_unique<ExtendedHalo>(*grid_, extended_, spec, transport_);
    entry.one = Field(extended_, spec);
    entry.other = Field(extended_, spec);
  }
  return entry;
}

void StaggeredSmearing::apply(Field& chi) {
  require(chi.spec() == staggered_spec(Subset::full, chi.subfields(), wide_links, queue_.location()) &&
              chi.geometry_ptr() == plain_ && chi.subfields() <= 8,
          "smearing of a field of another kind than its links");
  if (parameters_.steps == 0) return;
  const ScopedRange range("staggered_smearing");
  Batch& mine = batch(chi.subfields());
  const double b = parameters_.sigma * parameters_.sigma / (16 * parameters_.steps), a = 1 - 6 * b;
  const ExtendedHaloContent all{(1u << chi.subfields()) - 1};
  queue_.synchronize();
  copy(mine.one, chi);
  Field *in = &mine.one, *out = &mine.other;
  for (int n = 0; n < parameters_.steps; ++n) {
    mine.halo->exchange(*in, queue_, all);
    dispatch(queue_.location(), wide_links, [&](auto kind) {
      launch_two_link_step<typename decltype(kind)::target>(two_links_, *in, *out, a, b, queue_);
    });
    out->touch();
    std::swap(in, out);
  }
  queue_.synchronize();
  copy(chi, *in);
}

}  // namespace plaq

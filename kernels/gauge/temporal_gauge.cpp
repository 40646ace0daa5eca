#include "kernels/gauge/temporal_gauge.hpp"

#include <utility>

#include "comms/halo/extended_halo.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/temporal_gauge_launch.hpp"
#include "kernels/gauge/time_lines.hpp"

namespace plaq {
namespace {

template <class Launch>
void on_target(const Queue& queue, const Launch& launch) {
  dispatch(queue.location(), Precision::double_precision, launch);
}

// g on the owned sites; time links become 1.
void follow_lines(const ProcessGrid& grid, Field& links, Field& g, const Queue& queue) {
  const bool first = grid.position()[3] == 0, last = grid.position()[3] == grid.ranks()[3] - 1;
  TimeLines before(links), after(links);
  if (!first) before.receive(grid, grid.neighbor(3, false));
  TemporalLinesCall call{&links, &g};
  call.last = last;
  for (int parity = 0; parity < 2; ++parity) {
    if (!first) call.before[parity] = before.data(parity);
    if (!last) call.after[parity] = after.data(parity);
  }
  on_target(queue, [&](auto kind) { launch_temporal_lines<typename decltype(kind)::target>(call, queue); });
  queue.synchronize();
  if (!last) after.send(grid, grid.neighbor(3, true));
}

// All links of another field.
Field transformed(const Field& gauge, const FieldSpec& spec, const Field& g, const Queue& queue) {
  Field links(g.geometry_ptr(), spec);
  copy(links, gauge);
  on_target(queue, [&](auto kind) { launch_transform<typename decltype(kind)::target>(links, g, queue); });
  queue.synchronize();
  Field plain(gauge.geometry_ptr(), spec);
  copy(plain, links);
  return plain;
}

}  // namespace

FieldSpec gauge_frame_spec(Precision precision, Location location) {
  FieldSpec spec = gauge_spec(precision, location);
  spec.subfields = 1;
  return spec;
}

TemporalGauge make_temporal_gauge(const ProcessGrid& grid, const Field& gauge, const Queue& queue,
                                  std::shared_ptr<Transport> transport, const Field& others) {
  require(gauge.geometry().halo_depth() == 0, "temporal gauge is made of a gauge field without halo");
  const ScopedRange range("temporal_gauge");
  constexpr Precision wide = Precision::double_precision, narrow = Precision::single_precision;
  const FieldSpec links_spec = gauge_spec(wide, queue.location()),
                  g_spec = gauge_frame_spec(wide, queue.location());
  Field links(gauge.geometry().extended(1), links_spec);
  copy(links, gauge);
  TemporalGauge made;
  {
    Field g(links.geometry_ptr(), g_spec);
    follow_lines(grid, links, g, queue);
    ExtendedHalo(grid, g.geometry_ptr(), g_spec, std::move(transport)).exchange(g, queue);
    on_target(queue,
              [&](auto kind) { launch_transform_space<typename decltype(kind)::target>(links, g, queue); });
    queue.synchronize();
    if (others) made.others = transformed(others, links_spec, g, queue);
    made.g = Field(gauge.geometry_ptr(), gauge_frame_spec(narrow, queue.location()));
    copy(made.g, g);
  }
  made.links = Field(gauge.geometry_ptr(), links_spec);
  copy(made.links, links);
  return made;
}

}  // namespace plaq

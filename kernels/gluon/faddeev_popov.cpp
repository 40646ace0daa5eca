#include "kernels/gluon/faddeev_popov.hpp"

#include "comms/halo/halo_work.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/gluon/color_matrix_view.hpp"
#include "kernels/gluon/faddeev_popov_launch.hpp"

namespace plaq {
namespace {

constexpr Precision full = Precision::double_precision;

// On the host: made once.
Field unit_matrices(const GeometryPtr& geometry, Location location) {
  Field matrices(geometry, color_matrix_spec(1, Location::host)),
      unit(geometry, color_matrix_spec(1, location));
  on_numbers([&] {
    for (int parity = 0; parity < 2; ++parity)
      for (int site = 0; site < matrices.layout().sites; ++site)
        for (int i = 0; i < 3; ++i) set_real(matrices, 0, parity, site, 8 * i, 1.0);
  });
  copy(unit, matrices);
  return unit;
}

}  // namespace

FaddeevPopov::FaddeevPopov(const ProcessGrid& grid, const Field& gauge, int batch, const Queue& queue,
                           std::shared_ptr<Transport> transport)
    : grid_(&grid),
      links_(&gauge),
      made_of_(gauge),
      halos_(grid, std::move(transport)),
      schedule_(queue, "faddeev_popov"),
      diagonal_(gauge.geometry_ptr(), color_matrix_spec(1, queue.location())),
      sums_(queue.location(), batch * color_matrix_reals),
      constant_(queue.location(), static_cast<std::size_t>(batch * color_matrix_reals) * sizeof(double)) {
  require(gauge.geometry().halo_depth() == 0,
          "the Faddeev-Popov operator takes its gauge field without halo");
  require(gauge.precision() == full && gauge.location() == queue.location(),
          "the Faddeev-Popov operator takes links in double precision where it is");
  // K is what the hops make of unit matrices.
  const Field unit = unit_matrices(gauge.geometry_ptr(), queue.location());
  hop(diagonal_, unit, nullptr, ActiveSet(1));
  schedule_.queue().synchronize();
}

FieldSpec FaddeevPopov::spec(int batch) const { return color_matrix_spec(batch, queue().location()); }

// A hop: two products of matrices and two sums; the diagonal likewise. Links and K once for all.
Work FaddeevPopov::work(int batch) const {
  const double sites = static_cast<double>(geometry()->local_volume());
  constexpr double product = 198, sum = 18;
  return {sites * batch * (9 * 2 * (product + sum) + 4 * sum), sites * 8 * (4 * 18 + 18 + batch * 4 * 18)};
}

void FaddeevPopov::hop(Field& out, const Field& in, const Field* diagonal, const ActiveSet& active) {
  // Faces of both parities travel together.
  Halo& halo = halos_.of(
      geometry(), hop_halo_spec(color_matrix_reals, full, 2 * in.subfields(), queue().location(), false));
  record(halo,
         {{"faddeev_popov", "smearing", in.precision(), 18, active.count(), false, work(active.count())},
          1,
          2 * active.count() * site_bytes(in) + color_matrix_reals * bytes_of(full)});
  FaddeevPopovCall call;
  call.links = links_;
  call.diagonal = diagonal;
  call.in = call.add = &in;
  call.out = &out;
  call.halo = &halo;
  call.active = active;
  dispatch(queue().location(), full, [&](auto kind) {
    using Target = typename decltype(kind)::target;
    using Launch = HopLaunch<FaddeevPopovCall, Target, double, 18>;
    const auto on_both = [&](auto&& launch) {
      for (call.parity = 0; call.parity < 2; ++call.parity) launch();
    };
    schedule_.apply(
        halo, [&](const Queue& queue) { on_both([&] { Launch::pack(call, queue); }); },
        [&](Region region, const Queue& queue) { on_both([&] { Launch::sites(call, region, queue); }); });
  });
}

void FaddeevPopov::run(Field& out, const Field& in, bool, const ActiveSet& active) {
  made_of_.expect_unchanged("the Faddeev-Popov operator");
  if (active.count() == 0) return;
  hop(out, in, &diagonal_, active);
  remove_constant(out, active);
}

void FaddeevPopov::remove_constant(Field& w, const ActiveSet& active) {
  const int count = active.count() * color_matrix_reals;
  require(count <= sums_.capacity(), "more right-hand sides than the Faddeev-Popov operator was made for");
  sums_.clear(queue(), count);
  dispatch(w.location(), w.precision(), [&](auto kind) {
    launch_color_matrix_sums<typename decltype(kind)::target>(w, active, sums_, queue());
  });
  auto mine = sums_.fetch(queue(), count);
  auto constant = global_sums(*grid_, mine);
  for (double& c : constant) c /= static_cast<double>(geometry()->global_volume());
  copy_bytes(constant_.data(), constant_.location(), constant.data(), Location::host,
             constant.size() * sizeof(double));
  dispatch(w.location(), w.precision(), [&](auto kind) {
    launch_subtract_constant<typename decltype(kind)::target>(w, active, constant_.as<double>(), queue());
  });
}

}  // namespace plaq

#include "kernels/quark/gaussian_smearing.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/launch/dispatch.hpp"

namespace plaq {

int fewest_smearing_steps(double sigma, int links) {
  constexpr double rounding = 1e-12;
  const double steps = 1.5 * sigma * sigma / (links * links) * (1 - rounding);
  return static_cast<int>(std::min(std::ceil(steps), 2147483647.0));
}

void expect_possible(const GaussianSmearingParameters& p, int links) {
  const bool possible =
      std::isfinite(p.sigma) && p.sigma >= 0 && p.steps >= 0 && (p.steps > 0 || p.sigma == 0);
  if (!possible)
    throw Error(ErrorKind::job_file, "Gaussian smearing of width sigma = " + std::to_string(p.sigma) +
                                         " in " + std::to_string(p.steps) +
                                         " steps: sigma must not be negative and needs at least one step");
  for (const double n : p.momentum)
    if (!std::isfinite(n))
      throw Error(ErrorKind::job_file, "Gaussian smearing of the momentum " + std::to_string(n) +
                                           " 2 pi / L: it must be a finite number");
  if (const int fewest = fewest_smearing_steps(p.sigma, links); p.steps < fewest && !p.allow_unstable)
    throw Error(ErrorKind::job_file, "Gaussian smearing of width sigma = " + std::to_string(p.sigma) +
                                         " in " + std::to_string(p.steps) +
                                         " steps amplifies the highest momenta: take at least " +
                                         std::to_string(fewest) + " steps");
}

GaussianSmearing::GaussianSmearing(const ProcessGrid& grid, const Field& gauge,
                                   const GaussianSmearingParameters& parameters, Precision precision,
                                   const Queue& queue, std::shared_ptr<Transport> transport)
    : grid_(&grid),
      parameters_(parameters),
      links_(gauge.geometry_ptr(), gauge_spec(precision, queue.location())),
      transport_(std::move(transport)),
      schedule_(queue, "gaussian_smearing") {
  expect_possible(parameters, 1);
  require(gauge.geometry().halo_depth() == 0, "smearing takes its gauge field without halo");
  copy(links_, with_momentum_phases(with_boundary_signs(gauge, parameters.boundary), parameters.momentum));
}

GaussianSmearing::Batch& GaussianSmearing::batch(int subfields) {
  Batch& entry = batches_[subfields];
  if (!entry.halo) {
    const HaloSpec spec = halo_spec(subfields, links_.precision(), links_.location());
    entry.halo = std::make_unique<Halo>(*grid_, links_.geometry_ptr(), spec, transport_);
    entry.other = Field(links_.geometry_ptr(),
                        spinor_spec(Subset::full, subfields, links_.precision(), links_.location()));
  }
  return entry;
}

void GaussianSmearing::apply(Field& psi) {
  const FieldSpec expected =
      spinor_spec(Subset::full, psi.subfields(), links_.precision(), links_.location());
  require(psi.spec() == expected && psi.geometry_ptr() == links_.geometry_ptr(),
          "smearing of a field of another kind than its links");
  if (parameters_.steps == 0) return;
  Batch& mine = batch(psi.subfields());
  Field *in = &psi, *out = &mine.other;
  for (int n = 0; n < parameters_.steps; ++n) {
    step(*out, *in, *mine.halo);
    std::swap(in, out);
  }
  if (in != &psi)
    for (int parity = 0; parity < 2; ++parity) copy_parity(psi, *in, parity, schedule_.queue());
  psi.touch();
}

void GaussianSmearing::step(Field& out, const Field& in, Halo& halo) {
  LaplacianCall call;
  call.links = &links_;
  call.in = call.add = &in;
  call.out = &out;
  call.halo = &halo;
  call.active = ActiveSet(in.subfields());
  call.b = parameters_.sigma * parameters_.sigma / (4 * parameters_.steps);
  call.a = 1 - 6 * call.b;
  dispatch(links_.location(), links_.precision(), [&](auto kind) {
    using K = decltype(kind);
    using Launch = HopLaunch<LaplacianCall, typename K::target, typename K::scalar, 18>;
    const auto on_both = [&](auto&& launch) {
      for (call.parity = 0; call.parity < 2; ++call.parity) launch();
    };
    schedule_.apply(
        halo, [&](const Queue& queue) { on_both([&] { Launch::pack(call, queue); }); },
        [&](Region region, const Queue& queue) { on_both([&] { Launch::sites(call, region, queue); }); });
  });
}

}  // namespace plaq

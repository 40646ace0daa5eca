// Smearing of quark fields and contractions of propagators, twelve columns. Bytes: spinors and links once.
#include <cmath>

#include "core/system/error.hpp"
#include "jobs/bench/bench.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/quark/baryons.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/mesons.hpp"

namespace plaq::jobs {
namespace {

constexpr int columns = 12;

// The pion at momentum 0 is the sum of |S|^2.
std::string check_pion(const ProcessGrid& grid, const Correlators& c, const Field& s, const Queue& queue) {
  auto norms = blas::slice_norms(s, queue);
  double expected = 0, found = 0;
  for (const double norm : global_sums(grid, norms)) expected += norm;
  for (const auto& value : c[0][0]) found += value.real();
  // The ranks of a slice's split each have its sum already once: compare where time is whole.
  if (grid.ranks()[3] == 1 && !(std::abs(found / expected - 1) < 1e-12))
    throw Error(ErrorKind::internal, "the pion correlator is not the sum of |S|^2 on this machine");
  return grid.ranks()[3] == 1 ? "sum of |S|^2" : "none here";
}

std::vector<Momentum> some_momenta() {
  std::vector<Momentum> all;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z)
        if (x * x + y * y + z * z <= 1) all.push_back({x, y, z});
  return all;
}

}  // namespace

void bench_quark(Bench& bench) {
  bench.share({32, 32, 32, 64}, {12, 12, 12, 24});
  const ProcessGrid& grid = bench.grid();
  const GeometryPtr& geometry = bench.geometry();
  const Queue queue = bench.plain_queue();
  const Location location = bench.location();
  // `reals`: of a site.
  const auto add = [&](const char* name, Precision precision, double reals, const std::string& check,
                       const auto& apply) {
    bench.add_timed(name, precision, columns, reals * bytes_of(precision) * bench.local_sites(), check, queue,
                    apply);
  };
  const Field gauge = random_gauge(geometry, 31);
  for (const Precision precision : bench.precisions()) {
    Field psi = random_spinor(geometry, Subset::full, columns, precision, location, 32);
    // Three links, both ways; a column is read and written.
    GaussianSmearing smearing(grid, gauge, {1.0, 1}, precision, queue, bench.transport());
    add("quark_smearing", precision, 3 * 18 + 48.0 * columns, "none here",
        [&](const Queue&) { smearing.apply(psi); });
  }
  constexpr Precision wide = Precision::double_precision;
  const Field s = random_spinor(geometry, Subset::full, columns, wide, location, 33);
  const double reals = 24.0 * columns;  // a propagator is read once; densities are small beside it
  MesonContraction pion(grid, geometry, {meson_channel("pion")}, {{0, 0, 0}}, queue);
  const std::string check = check_pion(grid, pion(s, {0, 0, 0, 0}), s, queue);
  add("pion", wide, reals, check, [&](const Queue&) { pion(s, {0, 0, 0, 0}); });
  MesonContraction mesons(grid, geometry, meson_channels(), some_momenta(), queue);
  add("mesons_9x7", wide, reals, check, [&](const Queue&) { mesons(s, {0, 0, 0, 0}); });
  ProtonContraction proton(grid, geometry, {{0, 0, 0}}, queue);
  add("proton", wide, reals, "none here", [&](const Queue&) { proton(s, {0, 0, 0, 0}, -1); });
}

}  // namespace plaq::jobs

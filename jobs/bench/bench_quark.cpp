// Smearing of quark fields and contractions of propagators, twelve columns. Bytes: spinors and links once.
#include <cmath>

#include "core/system/error.hpp"
#include "jobs/bench/bench.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/quark/baryons.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/mesons.hpp"

namespace plaq::jobs {
namespace {

constexpr int columns = 12;

BenchRow make_row(const char* name, const Geometry& geometry, const ProcessGrid& grid, Precision precision,
                  const Samples& s, double reals) {
  BenchRow r;
  r.name = name;
  r.lattice = to_string(geometry.global());
  r.grid = to_string(grid.ranks());
  r.precision = name_of(precision);
  r.right_hand_sides = columns;
  r.samples = s.count;
  r.microseconds = s.median, r.least = s.least, r.most = s.most;
  r.bytes = reals * bytes_of(precision) * static_cast<double>(geometry.local_volume());
  return r;
}

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

std::vector<BenchRow> bench_quark(const BenchContext& context) {
  const BenchLattice lattice = context.share(
      context.site.location == Location::device ? Extents{32, 32, 32, 64} : Extents{12, 12, 12, 24});
  const auto& [shared, geometry, transport] = lattice;
  const ProcessGrid& grid = *shared;
  const Queue queue = context.plain_queue();
  const Location location = context.site.location;
  const Field gauge = random_gauge(geometry, 31);
  std::vector<BenchRow> rows;
  for (const Precision precision : context.precisions()) {
    Field psi = random_spinor(geometry, Subset::full, columns, precision, location, 32);
    // Three links, both ways; a column is read and written.
    GaussianSmearing smearing(grid, gauge, {1.0, 1}, precision, queue, transport);
    const Samples s = measure(context, queue, [&](const Queue&) { smearing.apply(psi); });
    rows.push_back(make_row("quark_smearing", *geometry, grid, precision, s, 3 * 18 + 48.0 * columns));
    rows.back().check = "none here";
  }
  constexpr Precision wide = Precision::double_precision;
  const Field s = random_spinor(geometry, Subset::full, columns, wide, location, 33);
  const double reals = 24.0 * columns;  // a propagator is read once; densities are small beside it
  const auto add = [&](const char* name, const Samples& samples, const std::string& check) {
    rows.push_back(make_row(name, *geometry, grid, wide, samples, reals));
    rows.back().check = check;
  };
  MesonContraction pion(grid, geometry, {meson_channel("pion")}, {{0, 0, 0}}, queue);
  const std::string check = check_pion(grid, pion(s, {0, 0, 0, 0}), s, queue);
  add("pion", measure(context, queue, [&](const Queue&) { pion(s, {0, 0, 0, 0}); }), check);
  MesonContraction mesons(grid, geometry, meson_channels(), some_momenta(), queue);
  add("mesons_9x7", measure(context, queue, [&](const Queue&) { mesons(s, {0, 0, 0, 0}); }), check);
  ProtonContraction proton(grid, geometry, {{0, 0, 0}}, queue);
  add("proton", measure(context, queue, [&](const Queue&) { proton(s, {0, 0, 0, 0}, -1); }), "none here");
  return rows;
}

}  // namespace plaq::jobs

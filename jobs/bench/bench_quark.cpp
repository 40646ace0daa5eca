// Smearing of quark fields and contractions of propagators: of one quark, and of two different ones. Twelve
// columns of spinors, three of staggered quarks. Bytes: propagators and links once.
#include <cmath>

#include "core/system/error.hpp"
#include "jobs/bench/targets.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/quark/baryons.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/slice_products.hpp"
#include "kernels/quark/staggered_baryons.hpp"
#include "kernels/quark/staggered_mesons.hpp"

namespace plaq::jobs {
namespace {

constexpr Precision stored = Precision::double_precision;
constexpr int columns = 12, staggered_columns = 3;
constexpr Extents origin{0, 0, 0, 0};

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

// Compares a propagator with a copy of itself: the terms are added in another order.
std::string check_two(const Correlators& two, const Correlators& one) {
  for (std::size_t t = 0; t < one[0][0].size(); ++t)
    if (!(std::abs(two[0][0][t] - one[0][0][t]) <= 1e-12 * std::abs(one[0][0][t])))
      throw Error(ErrorKind::internal, "a meson of two equal quarks is not that of one on this machine");
  return "two are one";
}

std::vector<Momentum> some_momenta() {
  std::vector<Momentum> all;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z)
        if (x * x + y * y + z * z <= 1) all.push_back({x, y, z});
  return all;
}

// A row; `reals`: of a site.
template <class Apply>
void add(Bench& bench, const std::string& name, Precision precision, int rhs, double reals,
         const std::string& check, const Apply& apply) {
  const double bytes = reals * bytes_of(precision) * bench.local_sites();
  bench.add_timed(name, precision, rhs, bytes, check, bench.plain_queue(), [&](const Queue&) { apply(); });
}

void add_smearing(Bench& bench) {
  const Field gauge = random_gauge(bench.geometry(), 31);
  for (const Precision precision : bench.precisions()) {
    Field psi = random_spinor(bench.geometry(), Subset::full, columns, precision, bench.location(), 32);
    GaussianSmearing smearing(bench.grid(), gauge, {0.8, 1}, precision, bench.plain_queue(),
                              bench.transport());
    // Three links, both ways; a column is read and written.
    add(bench, "quark_smearing", precision, columns, 3 * 18 + 48.0 * columns, "none here",
        [&] { smearing.apply(psi); });
  }
}

void add_contractions(Bench& bench) {
  const ProcessGrid& grid = bench.grid();
  const GeometryPtr& geometry = bench.geometry();
  const Queue queue = bench.plain_queue();
  const Field s = random_spinor(geometry, Subset::full, columns, stored, bench.location(), 33);
  Field other(geometry, s.spec());
  copy(other, s);
  const double reals = 24.0 * columns;  // a propagator is read once; densities are small beside it
  MesonContraction pion(grid, geometry, {meson_channel("pion")}, {{0, 0, 0}}, queue);
  const Correlators of_one = pion(s, origin);
  const std::string check = check_pion(grid, of_one, s, queue);
  add(bench, "pion", stored, columns, reals, check, [&] { pion(s, origin); });
  add(bench, "kaon", stored, columns, 2 * reals, check_two(pion(s, other, origin), of_one),
      [&] { pion(s, other, origin); });
  MesonContraction mesons(grid, geometry, meson_channels(), some_momenta(), queue);
  add(bench, "mesons_9x7", stored, columns, reals, check, [&] { mesons(s, origin); });
  ProtonContraction proton(grid, geometry, {{0, 0, 0}}, queue);
  add(bench, "proton", stored, columns, reals, "none here", [&] { proton(s, origin, -1); });
  add(bench, "sigma", stored, columns, 2 * reals, "none here", [&] { proton(s, other, origin, -1); });
}

// Products of 32 color vectors with eight on each time slice, and sums of the former into the latter, as
// distillation and its modes need them: subfields of spinors.
void add_slice_products(Bench& bench) {
  constexpr int modes = 8, vectors = 2;
  const GeometryPtr& geometry = bench.geometry();
  const Queue queue = bench.plain_queue();
  for (const Precision precision : bench.precisions()) {
    const Field x = random_spinor(geometry, Subset::full, modes, precision, bench.location(), 35);
    const Field y = random_spinor(geometry, Subset::full, vectors, precision, bench.location(), 36);
    const ColorVectors of_x = all_vectors(x), of_y = all_vectors(y);
    const auto dots = [&] { return slice_dots(bench.grid(), of_x, of_y, queue); };
    add(bench, "slice_dots_32x8", precision, 4 * vectors, 24.0 * (modes + vectors), "none here", dots);
    const SliceMatrices c(static_cast<std::size_t>(geometry->local()[3] * of_x.size() * of_y.size()), 0.1);
    add(bench, "slice_axpys_32x8", precision, 4 * vectors, 24.0 * (modes + 2 * vectors), "none here",
        [&] { slice_axpys(of_x, c, 1, of_y, {}, queue); });
  }
}

void add_staggered_contractions(Bench& bench) {
  const ProcessGrid& grid = bench.grid();
  const GeometryPtr& geometry = bench.geometry();
  const Queue queue = bench.plain_queue();
  const Field s =
      random_vectors(geometry, staggered_spec(Subset::full, staggered_columns, stored, bench.location()), 34);
  Field other(geometry, s.spec());
  copy(other, s);
  const double reals = 6.0 * staggered_columns;
  StaggeredMesonContraction pion(grid, geometry, {staggered_channel("pion_ps")}, {{0, 0, 0}}, queue);
  const Correlators of_one = pion(s, origin);
  add(bench, "staggered_pion", stored, staggered_columns, reals, check_pion(grid, of_one, s, queue),
      [&] { pion(s, origin); });
  add(bench, "staggered_kaon", stored, staggered_columns, 2 * reals,
      check_two(pion(s, other, origin), of_one), [&] { pion(s, other, origin); });
  StaggeredBaryonContraction nucleon(grid, geometry, {{0, 0, 0}}, queue);
  add(bench, "staggered_nucleon", stored, staggered_columns, reals, "none here",
      [&] { nucleon(s, origin, -1); });
}

}  // namespace

void bench_quark(Bench& bench, std::string_view) {
  add_smearing(bench);
  add_contractions(bench);
  add_slice_products(bench);
  add_staggered_contractions(bench);
}

}  // namespace plaq::jobs

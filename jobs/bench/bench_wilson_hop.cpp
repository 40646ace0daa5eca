// The Wilson hopping term on one parity.
#include <cmath>

#include "core/error.hpp"
#include "jobs/bench/bench.hpp"
#include "jobs/bench/bench_fields.hpp"
#include "jobs/bench/bench_wilson_check.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/dirac/wilson.hpp"

namespace plaq::jobs {
namespace {

// ||D in|| and (in', D in) against gamma5 hermiticity: (y, D x) = conj((x, D^dagger y)), to rounding.
std::string check_hermiticity(const ProcessGrid& grid, WilsonHopping& hop, const Field& even,
                              const Field& odd) {
  const Queue& queue = hop.queue();
  blas::Workspace work(queue, even.slots());
  const std::vector<blas::Coefficients> ones(static_cast<std::size_t>(even.slots()));
  Field d_odd(even.geometry_ptr(), even.spec()), d_even(odd.geometry_ptr(), odd.spec());
  hop.apply(d_odd, odd, 0, false);
  hop.apply(d_even, even, 1, true);
  auto left = blas::update_and_sum<blas::Dot>(work, ones, {&even, &d_odd});
  auto right = blas::update_and_sum<blas::Dot>(work, ones, {&d_even, &odd});
  auto norm = blas::update_and_sum<blas::Norm>(work, ones, {&even});
  const auto l = global_sums(grid, left), r = global_sums(grid, right), n = global_sums(grid, norm);
  double worst = 0;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const double scale = n[i];
    worst = std::max(worst, std::hypot(l[2 * i] - r[2 * i], l[2 * i + 1] - r[2 * i + 1]) / scale);
  }
  const double allowed = even.precision() == Precision::double_precision ? 1e-13 : 1e-5;
  if (!(worst < allowed))
    throw Error(ErrorKind::internal,
                "the hopping term is not gamma5-hermitian on this machine: relative difference " +
                    std::to_string(worst));
  return "hermiticity";
}

}  // namespace

BenchRow operator_row(const std::string& name, const Geometry& geometry, const std::string& grid,
                      const LinkStorage& storage, int rhs, const Samples& samples, const Work& work) {
  BenchRow r;
  r.name = name;
  r.lattice = to_string(geometry.global());
  r.grid = grid;
  r.precision = name_of(storage.precision);
  r.link_reals = storage.reals;
  r.right_hand_sides = rhs;
  r.samples = samples.count;
  r.microseconds = samples.median, r.least = samples.least, r.most = samples.most;
  r.flops = work.flops;
  r.bytes = work.bytes;
  return r;
}

std::vector<BenchRow> bench_wilson_hop(const BenchContext& context) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Location location = context.site.location;
  const Extents extents =
      context.lattice(location == Location::device ? Extents{32, 32, 32, 64} : Extents{24, 24, 24, 48});
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(ranks, extents));
  const auto geometry = grid.geometry(extents);
  const Queue queue(location);
  const auto transport = make_host_transport(grid, location);
  const Field gauge = random_gauge(geometry, 11);
  std::vector<BenchRow> rows;
  for (const int rhs : context.batches()) {
    constexpr Precision wide = Precision::double_precision;
    const Field odd = random_spinor(geometry, Subset::odd, rhs, wide, location, 12);
    Field expected = random_spinor(geometry, Subset::even, rhs, wide, location, 13);
    std::string check;
    {
      WilsonHopping hop(grid, gauge, {}, wide, queue, transport);
      check = check_hermiticity(grid, hop, expected, odd);
      hop.apply(expected, odd, 0, false);
    }
    for (const LinkStorage& storage : context.storages()) {
      WilsonHopping hop(grid, gauge, {}, storage, queue, transport);
      const ActiveSet all(rhs);
      Field in(geometry, spinor_spec(Subset::odd, rhs, storage.precision, location));
      Field out(geometry, spinor_spec(Subset::even, rhs, storage.precision, location));
      copy(in, odd);
      hop.apply(out, in, 0, false);
      const bool is_reference = storage == LinkStorage();
      const std::string found =
          is_reference ? check : check_against_double(grid, out, expected, storage, queue);
      // In the gauge of the stored links, as the operators of solvers apply it.
      const Samples s =
          measure(context, queue, [&](const Queue&) { hop.apply_stored(out, in, 0, false, all, {}); });
      rows.push_back(operator_row("wilson_hop", *geometry, to_string(grid.ranks()), storage, rhs, s,
                                  hop.work(rhs, false)));
      rows.back().check = found;
    }
  }
  return rows;
}

}  // namespace plaq::jobs

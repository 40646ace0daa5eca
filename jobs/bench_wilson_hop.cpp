// The Wilson hopping term on one parity.
#include <cmath>

#include "core/error.hpp"
#include "jobs/bench.hpp"
#include "jobs/bench_fields.hpp"
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

BenchRow hop_row(const char* name, const Geometry& geometry, const std::string& grid, Precision precision,
                 int rhs, const Samples& samples) {
  BenchRow r;
  r.name = name;
  r.lattice = to_string(geometry.global());
  r.grid = grid;
  r.precision = name_of(precision);
  r.right_hand_sides = rhs;
  r.samples = samples.count;
  r.microseconds = samples.median, r.least = samples.least, r.most = samples.most;
  const double real = bytes_of(precision), sites = static_cast<double>(geometry.local_volume()) / 2;
  r.flops = 1320 * sites * rhs;
  r.bytes = sites * real * (8 * 18 + 48.0 * rhs);
  return r;
}

std::vector<BenchRow> bench_wilson_hop(const BenchContext& context) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Extents extents = context.lattice(
      context.site.location == Location::device ? Extents{32, 32, 32, 64} : Extents{24, 24, 24, 48});
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(ranks, extents));
  const auto geometry = grid.geometry(extents);
  const Queue queue(context.site.location);
  const Field gauge = random_gauge(geometry, 11);
  std::vector<BenchRow> rows;
  for (const Precision precision : context.precisions()) {
    WilsonHopping hop(grid, gauge, {}, precision, queue, make_host_transport(grid, context.site.location));
    for (const int rhs : context.options.right_hand_sides > 0
                             ? std::vector<int>{context.options.right_hand_sides}
                             : std::vector<int>{1, 12}) {
      const Field odd = random_spinor(geometry, Subset::odd, rhs, precision, context.site.location, 12);
      Field even = random_spinor(geometry, Subset::even, rhs, precision, context.site.location, 13);
      const std::string check = check_hermiticity(grid, hop, even, odd);
      const Samples s = measure(context, queue, [&](const Queue&) { hop.apply(even, odd, 0, false); });
      BenchRow r = hop_row("wilson_hop", *geometry, to_string(grid.ranks()), precision, rhs, s);
      r.check = check;
      rows.push_back(r);
    }
  }
  return rows;
}

}  // namespace plaq::jobs

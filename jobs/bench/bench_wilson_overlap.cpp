// How the halo exchange of the hopping term hides behind interior work. On one rank every direction is forced
// to exchange with itself through the transport.
#include <algorithm>

#include "jobs/bench/bench.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/dirac/wilson.hpp"

namespace plaq::jobs {
namespace {

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

std::vector<std::pair<std::string, double>> steps(const std::vector<Timeline>& lines) {
  const auto of = [&](double Timeline::*member) {
    std::vector<double> values;
    for (const auto& t : lines) values.push_back(1e3 * t.*member);
    return median(values);
  };
  const double interior_done = of(&Timeline::interior_done), arrived = of(&Timeline::arrived);
  return {{"faces packed", of(&Timeline::packed)},
          {"faces in host memory", of(&Timeline::staged)},
          {"interior begun", of(&Timeline::interior_begun)},
          {"interior done", interior_done},
          {"faces of the neighbours arrived", arrived},
          {"boundary begun", of(&Timeline::boundary_begun)},
          {"boundary done", of(&Timeline::boundary_done)},
          {"exposed communication", std::max(0.0, arrived - interior_done)}};
}

}  // namespace

std::vector<BenchRow> bench_wilson_overlap(const BenchContext& context) {
  const BenchLattice lattice = context.share(
      context.site.location == Location::device ? Extents{32, 32, 32, 64} : Extents{16, 16, 16, 32}, 0xf);
  const auto& [shared, geometry, transport] = lattice;
  const ProcessGrid& grid = *shared;
  const Queue queue(context.site.location);
  const Field gauge = random_gauge(geometry, 11);
  const int rhs = context.right_hand_sides(1);
  std::vector<BenchRow> rows;
  for (const Precision precision : context.precisions()) {
    WilsonHopping hop(grid, gauge, {}, precision, queue, transport);
    const Field odd = random_spinor(geometry, Subset::odd, rhs, precision, context.site.location, 12);
    Field even(geometry, spinor_spec(Subset::even, rhs, precision, context.site.location));
    const Samples s = measure(context, queue, [&](const Queue&) { hop.apply(even, odd, 0, false); });
    hop.schedule().watch(hop.halo(rhs));
    std::vector<Timeline> lines;
    for (int i = 0; i < 21; ++i) {
      MPI_Barrier(MPI_COMM_WORLD);
      hop.apply(even, odd, 0, false);
      lines.push_back(hop.schedule().timeline());
    }
    const std::string shown = grid.size() == 1 ? "forced" : to_string(grid.ranks());
    BenchRow r = operator_row("wilson_overlap", *geometry, shown, precision, rhs,
                              {s, hop.work(rhs, false), 0, "by wilson_hop"});
    r.timeline = steps(lines);
    rows.push_back(r);
  }
  return rows;
}

}  // namespace plaq::jobs

// Published times and rates of other programs on many GPUs, beside those that the model gives plaq there.
#include <fmt/format.h>

#include "comms/grid/grid_choice.hpp"
#include "jobs/study/model_points.hpp"
#include "quarks/action/domain_wall_action.hpp"

namespace plaq::jobs {

// Clark et al. 2016 (Supercomputing 2016), table 3: BiCGstab in half precision inside of double, clover, on
// Titan, by QUDA; seconds and iterations.
std::string published_iterations() {
  struct Published {
    Extents lattice;
    int nodes;
    double iterations, seconds;
  };
  constexpr Published all[] = {{{48, 48, 48, 96}, 24, 3402, 20.4},   {{48, 48, 48, 96}, 48, 3522, 14.4},
                               {{64, 64, 64, 128}, 64, 2805, 22.2},  {{64, 64, 64, 128}, 128, 2807, 30.7},
                               {{64, 64, 64, 128}, 256, 2885, 22.5}, {{64, 64, 64, 128}, 512, 2940, 12.3}};
  Scaled what = usual_iteration();
  what.storage = {Precision::half_precision, 8};
  std::string text = "| nodes of Titan | published, ms an iteration | the model, ms |\n| --- | --- | --- |\n";
  for (const Published& p : all) {
    const Point model = point_of(machine_named("titan"), what, p.lattice, choose_grid(p.nodes, p.lattice));
    text += fmt::format("| {}, {} | {:.1f} | {:.1f} |\n", p.nodes, lattice_text(p.lattice),
                        1e3 * p.seconds / p.iterations, 1e3 * model.time.total());
  }
  return text + '\n';
}

// Grid (github.com/paboyle/Grid), systems/Booster/benchmarks/Benchmark_usqcd.csv (Ls 12), dwf.4node.perf and
// dwf.16node.perf, systems/Jupiter/benchmarks/dwf.1node.perf and dwf.4node.perf (Ls 16, DhopEO): domain-wall
// hops on one parity, single precision, links of 18 reals, 32^4 a GPU; TFLOPS a GPU.
std::string published_hops() {
  struct Published {
    const char* machine;
    Extents grid;
    int Ls;
    double tflops;
  };
  constexpr Published all[] = {{"booster", {1, 1, 2, 2}, 12, 2.87},
                               {"booster", {2, 2, 2, 2}, 16, 2.47},
                               {"booster", {2, 2, 2, 8}, 16, 2.35},
                               {"jupiter", {1, 1, 2, 2}, 16, 6.02},
                               {"jupiter", {2, 2, 2, 2}, 16, 3.00}};
  std::string text =
      "| machine, GPUs, process grid | Grid, TFLOPS a GPU | the model | the model, if nothing hid exchanges "
      "|\n| --- | --- | --- | --- |\n";
  for (const Published& p : all) {
    DomainWallChoice wall;
    wall.n_s = p.Ls;
    Extents lattice = p.grid;
    for (int& extent : lattice) extent *= 32;
    const Scaled what{"", "hop", domain_wall_action(wall), {Precision::single_precision, 18}};
    const Point model = point_of(machine_named(p.machine), what, lattice, p.grid);
    constexpr double flops_of_a_site = 1320, sites = 32 * 32 * 32 * 32 / 2;
    const auto rate = [&](double seconds) { return 1e-12 * flops_of_a_site * sites * p.Ls / seconds; };
    const TraceTime& t = model.time;
    text += fmt::format("| {}, {}, {} | {:.2f} | {:.2f} | {:.2f} |\n", p.machine, t.ranks, to_string(p.grid),
                        p.tflops, rate(t.total()), rate(t.total() + t.communication - t.exposed));
  }
  return text + '\n';
}

}  // namespace plaq::jobs

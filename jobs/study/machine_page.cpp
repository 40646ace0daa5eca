// plaq model: docs/scaling.md, but for rates that were published (published_rates.cpp).
#include <fmt/format.h>

#include <algorithm>

#include "comms/grid/grid_choice.hpp"
#include "core/field/storages.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/model/measured_machine.hpp"
#include "jobs/study/model_points.hpp"

namespace plaq::jobs {
namespace {

std::string link_row(const char* name, const LinkModel& link) {
  return fmt::format("{:.1f} us + {:.1f} us for each further face + bytes / {:.1f} GB/s {}",
                     1e6 * link.latency, 1e6 * link.message, 1e-9 * link.bandwidth, name);
}

std::string faces_row(const FaceCosts& costs) {
  return fmt::format("{:.1f} us before and {:.1f} us after the sites inside, and {:.3f}, {:.3f}, {:.3f} ns",
                     1e6 * costs.start, 1e6 * costs.end, 1e9 * costs.double_site, 1e9 * costs.single_site,
                     1e9 * costs.half_site);
}

std::string constants_text(const MachineModel& m) {
  std::string text = fmt::format("- **{}**: memory {:.0f} GB/s, a launch {:.1f} us; an exchange ", m.name,
                                 1e-9 * m.memory_bandwidth, 1e6 * m.launch);
  if (m.ranks_per_node > 1) text += link_row("within a node", m.near);
  if (m.fused) text += fmt::format(" ({:.1f} us where one launch does all)", 1e6 * m.fused_latency);
  if (m.ranks_per_node > 1) text += ", ";
  text += link_row("between nodes", m.far);
  text += "; faces cost a kernel " + faces_row(m.in_launches) +
          " a site at the edge (double, single, half precision)";
  if (m.fused) text += "; in one launch " + faces_row(m.in_one_launch);
  text += fmt::format("; a wait for sums {:.1f} us and", 1e6 * m.sum_wait);
  if (m.ranks_per_node > 1) text += fmt::format(" {:.1f} us a step within a node,", 1e6 * m.near_sum_step);
  text += fmt::format(" {:.1f} us a step between nodes", 1e6 * m.far_sum_step);
  if (m.device_sum > 0)
    text += fmt::format(", sums that stay on the GPUs of a node {:.1f} us and {:.1f} us a step",
                        1e6 * m.device_sum, 1e6 * m.device_sum_step);
  text += '.';
  for (const auto& sentence : m.origin) text += ' ' + sentence;
  return wrapped(text, {}, page_width);
}

// Last of the points with half of one rank's rate or more.
const Point& last_efficient(const std::vector<Point>& points) {
  const Point* last = &points.front();
  for (const Point& p : points)
    if (p.time.efficiency() >= 0.5) last = &p;
  return *last;
}

// The first one within a tenth of the shortest time.
const Point& fast_enough(const std::vector<Point>& points) {
  double least = points.front().time.total();
  for (const Point& p : points) least = std::min(least, p.time.total());
  return *std::find_if(points.begin(), points.end(),
                       [&](const Point& p) { return 0.9 * p.time.total() <= least; });
}

std::string strong_table(const MachineModel& machine, const Extents& lattice) {
  std::string text = fmt::format("| {}, {} | double | single | half |\n| --- | --- | --- | --- |\n",
                                 machine_title(machine), lattice_text(lattice));
  for (std::size_t i = 0; i < scaled_in(all_precisions[0]).size(); ++i) {
    text += "| " + scaled_in(all_precisions[0])[i].name;
    for (const Precision precision : all_precisions) {
      const auto points = strong(machine, scaled_in(precision)[i], lattice);
      const Point &half = last_efficient(points), &end = fast_enough(points);
      // The limit is the part that loses most one doubling later.
      const auto next = std::find_if(points.begin(), points.end(),
                                     [&](const Point& p) { return p.ranks() == 2 * half.ranks(); });
      text +=
          fmt::format(" | {} ({:.0f} us), {} ({:.0f} us); {}", half.ranks(), 1e6 * half.time.total(),
                      end.ranks(), 1e6 * end.time.total(), next == points.end() ? half.limit : next->limit);
    }
    text += " |\n";
  }
  return text + '\n';
}

std::string breakdown_table(const MachineModel& machine, const Extents& lattice) {
  const Scaled what = usual_iteration();
  std::string text = fmt::format(
      "| {} | local lattice | us | interior | packing, boundary | exposed | launches | vectors | sums | "
      "efficiency |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
      machine_title(machine));
  for (const Point& p : strong(machine, what, lattice)) {
    const TraceTime& t = p.time;
    Extents local = p.place.global;
    for (std::size_t mu = 0; mu < 4; ++mu) local[mu] /= p.place.grid[mu];
    text += fmt::format(
        "| {} | {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f}% |\n", p.ranks(),
        to_string(local), 1e6 * t.total(), 1e6 * t.interior, 1e6 * (t.packing + t.boundary), 1e6 * t.exposed,
        1e6 * t.launches, 1e6 * t.vectors, 1e6 * t.sums, 100 * t.efficiency());
  }
  return text + '\n';
}

std::string weak_table(const MachineModel& machine) {
  const int counts[] = {8, 64, 512, 4096};
  std::string text = fmt::format("| {} |", machine_title(machine));
  for (const int ranks : counts) text += fmt::format(" {} |", ranks);
  text += "\n| --- | --- | --- | --- | --- |\n";
  for (const int extent : {32, 24, 16}) {
    const Extents local{extent, extent, extent, extent};
    const Scaled shown[] = {scaled_in(Precision::single_precision).front(),
                            scaled_in(Precision::half_precision).front(), usual_iteration()};
    const char* names[] = {"hopping term, single", "hopping term, half", "clover, BiCGstab, half"};
    for (std::size_t i = 0; i < std::size(shown); ++i) {
      text += fmt::format("| {} a GPU, {}", lattice_text(local), names[i]);
      for (const int ranks : counts) {
        const StudyPoint weak{"weak", local, weak_grid(ranks, local), "auto"};
        const Point p = point_of(machine, shown[i], weak.global(), weak.grid);
        text += fmt::format(" | {:.0f}%{}", 100 * p.time.weak_efficiency(),
                            ranks == largest_machine && p.limit != "nothing" ? ", " + p.limit : "");
      }
      text += " |\n";
    }
  }
  return text + '\n';
}

std::string fastest_text(const MachineModel& machine, const Extents& lattice) {
  const Scaled what = usual_iteration();
  const auto points = strong(machine, what, lattice);
  const Point &end = fast_enough(points), &half = last_efficient(points);
  const std::string best = end.ranks() == points.back().ranks()
                               ? fmt::format("still faster at {}", end.ranks())
                               : fmt::format("within a tenth of its shortest time at {}", end.ranks());
  return wrapped(fmt::format("- {}: half of one GPU's rate up to {} GPUs ({:.0f} us); {} ({:.0f} us, {:.0f} "
                             "times as fast as one GPU would be).",
                             machine_title(machine), half.ranks(), 1e6 * half.time.total(), best,
                             1e6 * end.time.total(), end.ranks() * end.time.efficiency()),
                 {}, page_width);
}

}  // namespace

std::string text_of(const ModelOptions& options) {
  MachineModel titan = machine_named("titan"), four = machine_named("h200"), eight = four;
  for (const std::string& file : options.networks)
    for (MachineModel* m : {&four, &eight}) take_measurements(*m, file);
  four.ranks_per_node = 4;
  eight.ranks_per_node = 8;
  const MachineModel booster = machine_named("booster"), jupiter = machine_named("jupiter");
  const MachineModel machines[] = {titan, four, eight};
  const Extents small{48, 48, 48, 96}, large{96, 96, 96, 192};
  std::string text;
  const auto say = [&](const std::string& words) { text += paragraph(words); };

  say("# Scaling, predicted");
  say("This page predicts by a model how far operators and solvers scale, up to 4096 GPUs. No row was "
      "measured on so many GPUs. `plaq model > docs/scaling.md` writes this page. With `--network FILE` it "
      "takes the constants that `plaq bench network --json FILE` measured on H200s. `plaq plan JOB.toml "
      "--ranks N --gpu h200` predicts one job.");
  say("The time of an operator is launches + the longer of packing with interior and of the exchange + "
      "boundary. The time of an iteration is that of its operators, vector updates and sums over all ranks. "
      "The equations "
      "are in jobs/model/trace_time.hpp, and the constants in jobs/model/machines.cpp. Dry runs of the "
      "operators and methods give the work:");
  for (const auto& machine : {titan, eight, booster, jupiter}) text += constants_text(machine);
  text += '\n';
  say("Links have 18 reals in double and 12 in single and half precision, with one right-hand side. Process "
      "grids are those with the smallest surface. The model has no contention in networks, so real machines "
      "are slower.");
  say("## Summary");
  for (const Extents& lattice : {small, large}) {
    say("An iteration of BiCGstab in half precision, even-odd clover, on " + lattice_text(lattice) + ":");
    for (const auto& machine : {titan, four, eight, booster, jupiter}) text += fastest_text(machine, lattice);
    text += '\n';
  }
  say("## Strong scaling: where each operator stops");
  say("Each cell has three entries: the largest number of GPUs that keeps half of the rate of one GPU; the "
      "smallest number whose time is within a tenth of the shortest; and the largest loss at twice the first "
      "number.");
  for (const Extents& lattice : {small, large})
    for (const auto& machine : machines) text += strong_table(machine, lattice);
  say("## Where the time goes");
  say("Microseconds of an iteration of BiCGstab in half precision, even-odd clover, on " +
      lattice_text(small) + ":");
  for (const auto& machine : machines) text += breakdown_table(machine, small);
  say("## Weak scaling");
  say("The table gives the rate on this number of GPUs, relative to one GPU with the same local lattice and "
      "no exchange. The lattice is split in t, then z, y, x, and t again. The last cell names the largest "
      "loss.");
  for (const auto& machine : machines) text += weak_table(machine);
  say("## What would move the limit");
  say("The tables name the part to which most of one GPU's rate is lost, and the gain of changes: the time "
      "without over the time with it. A gain is that of the model for one iteration: it leaves out what a "
      "change costs in iterations and in rounding. plaq has Schwarz blocks in the smoothers of multigrid "
      "(`local_smoother` in [multigrid]), and none of the other changes:");
  text += changes_meaning();
  say("An iteration of BiCGstab in half precision, even-odd clover:");
  text += changes_table(usual_iteration(), {titan, eight, booster, jupiter}, {small, large});
  Scaled multigrid = usual_iteration();
  multigrid.key = "gcr_multigrid";
  say("An iteration of GCR in half precision with a multigrid cycle, even-odd clover, in which each step of "
      "the "
      "smoother has sums:");
  text += changes_table(multigrid, {eight, booster, jupiter}, {{64, 64, 64, 128}});
  say("## Against published times");
  say("The table compares QUDA's BiCGstab on Titan (Clark et al. 2016, table 3; clover, half precision "
      "inside of double, with reliable updates) with the model for 8 reals a link. The model was not fitted "
      "to these times, and has no contention. For 128 nodes the paper names the placement of the nodes as "
      "the reason.");
  text += published_iterations();
  say("The next table compares Grid's domain-wall hopping term (systems/Booster and systems/Jupiter of its "
      "repository; single precision, 18 reals, 32^4 a GPU, Ls = 12 in the first row and 16 in the others) "
      "with the model of plaq's. The model was not fitted to these rates. Grid's records show that packing, "
      "exchange and "
      "computation follow one another there, so the last column adds up what the model hides.");
  text += published_hops();
  text.pop_back();
  return text;
}

}  // namespace plaq::jobs

#include "jobs/study/model_points.hpp"

#include <fmt/format.h>

#include "comms/grid/grid_choice.hpp"
#include "jobs/common/terminal_text.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq::jobs {
namespace {

LinkStorage stored(Precision precision) {
  return {precision, precision == Precision::double_precision ? 18 : 12};
}

}  // namespace

std::vector<Scaled> scaled_in(Precision precision) {
  const LinkStorage links = stored(precision);
  WilsonParameters with_clover;
  with_clover.clover = {1, 1};
  const ActionPtr wilson = wilson_action({}), clover = wilson_action(with_clover);
  return {{"Wilson hopping term", "hop", wilson, links},
          {"even-odd Wilson operator", "schur", wilson, links},
          {"even-odd clover operator", "schur", clover, links},
          {"clover, iteration of CG", "cg", clover, links},
          {"clover, iteration of BiCGstab", "bicgstab", clover, links}};
}

Scaled usual_iteration() { return scaled_in(Precision::half_precision).back(); }

Point point_of(const MachineModel& machine, const Scaled& what, const Extents& global, const Extents& grid) {
  Asked asked;
  asked.action = what.action;
  asked.storages = {what.storage};
  asked.right_hand_sides = {1};
  const PredictedPlace place{global, grid, 0, machine.ranks_per_node};
  PerformanceTrace::Section section = section_of(what.key, asked, place);
  const TraceTime time = section_time(machine, section);
  return {place, std::move(section), time, limiting_part(time)};
}

std::vector<Point> strong(const MachineModel& machine, const Scaled& what, const Extents& lattice) {
  std::vector<Point> points;
  for (int ranks = 1; ranks <= largest_machine; ranks *= 2)
    if (!allowed_grids(ranks, lattice).empty())
      points.push_back(point_of(machine, what, lattice, choose_grid(ranks, lattice, machine.ranks_per_node)));
  return points;
}

std::string lattice_text(const Extents& e) {
  const bool cube = e[0] == e[1] && e[1] == e[2];
  if (cube && e[3] == e[0]) return fmt::format("{}^4", e[0]);
  return cube ? fmt::format("{}^3x{}", e[0], e[3]) : to_string(e);
}

std::string paragraph(const std::string& text) { return wrapped(text, {}, page_width) + '\n'; }

std::string machine_title(const MachineModel& m) {
  return fmt::format("{}, {} a node", m.name, counted(m.ranks_per_node, "GPU"));
}

}  // namespace plaq::jobs

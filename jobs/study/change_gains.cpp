// Gains by changes of a program or its methods, on many GPUs.
#include <fmt/format.h>

#include <cmath>

#include "comms/grid/grid_choice.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/model/scaling_changes.hpp"
#include "jobs/study/model_points.hpp"

namespace plaq::jobs {

std::string changes_meaning() {
  std::string text;
  for (const ScalingChange& change : scaling_changes())
    text += wrapped(fmt::format("- **{}**: {}.", change.name, change.meaning), {}, page_width);
  return text + '\n';
}

std::string changes_table(const Scaled& what, const std::vector<MachineModel>& machines,
                          const std::vector<Extents>& lattices) {
  const auto& changes = scaling_changes();
  std::vector<double> products(changes.size(), 1);
  std::vector<int> first(changes.size(), 0);
  int rows = 0;
  std::string text = "| machine, lattice | GPUs | us | most lost to |", rule = "| --- | --- | --- | --- |";
  for (const ScalingChange& change : changes) {
    text += fmt::format(" {} |", change.name);
    rule += " --- |";
  }
  text += '\n' + rule + '\n';
  for (const MachineModel& machine : machines)
    for (const Extents& lattice : lattices)
      for (int ranks = 64; ranks <= largest_machine; ranks *= 4, ++rows) {
        const Point p = point_of(machine, what, lattice, choose_grid(ranks, lattice, machine.ranks_per_node));
        text += fmt::format("| {}, {} | {} | {:.0f} | {} |", machine.name, lattice_text(lattice), ranks,
                            1e6 * p.time.total(), p.limit);
        std::size_t largest = 0;
        double most = 0;
        for (std::size_t i = 0; i < changes.size(); ++i) {
          const double gain = gain_of(changes[i], machine, p.section);
          text += fmt::format(" {:.2f} |", gain);
          products[i] *= gain;
          if (!changes[i].same_iterations || gain <= most) continue;
          most = gain;
          largest = i;
        }
        ++first[largest];
        text += '\n';
      }
  text += "| mean | | | |";
  for (const double product : products) text += fmt::format(" {:.2f} |", std::pow(product, 1.0 / rows));
  std::string counts;
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (first[i] > 0)
      counts += fmt::format("{}{} in {}", counts.empty() ? "" : ", ", changes[i].name, first[i]);
  return text + "\n\n" +
         paragraph(fmt::format("Largest gain of its row without more steps: {} of {} rows.", counts, rows));
}

}  // namespace plaq::jobs

// Operators and methods on many GPUs of a model: points and tables of `plaq model`.
#pragma once

#include <string>
#include <vector>

#include "jobs/model/trace_time.hpp"
#include "jobs/study/prediction.hpp"

namespace plaq::jobs {

constexpr int largest_machine = 4096;

/// A thing whose scaling is shown: an operator, or an iteration of a method with it.
struct Scaled {
  std::string name, key;  // key: of targets()
  ActionPtr action;
  LinkStorage storage;
};
/// Operators and methods of Wilson and clover quarks, the cheapest first and BiCGstab last.
std::vector<Scaled> scaled_in(Precision precision);
/// An iteration of BiCGstab in half precision, even-odd clover.
Scaled usual_iteration();

struct Point {
  PredictedPlace place;
  PerformanceTrace::Section section;
  TraceTime time;
  std::string limit;
  int ranks() const { return time.ranks; }
};
Point point_of(const MachineModel& machine, const Scaled& what, const Extents& global, const Extents& grid);
/// Points at 1, 2, 4, ... ranks, as far as the lattice splits.
std::vector<Point> strong(const MachineModel& machine, const Scaled& what, const Extents& lattice);

std::string lattice_text(const Extents& extents);      // "48^3x96"
std::string machine_title(const MachineModel& model);  // "h200, 8 GPUs a node"

constexpr std::size_t page_width = 120;
std::string paragraph(const std::string& text);  // and an empty line

/// Tables of published rates beside those of the model (published_rates.cpp).
std::string published_iterations();
std::string published_hops();
/// A list of the changes of scaling_changes(); a row for each of 64, 256, 1024 and 4096 GPUs with the gain of
/// each change, their means, and in how many rows each is the largest (change_gains.cpp).
std::string changes_meaning();
std::string changes_table(const Scaled& what, const std::vector<MachineModel>& machines,
                          const std::vector<Extents>& lattices);

}  // namespace plaq::jobs

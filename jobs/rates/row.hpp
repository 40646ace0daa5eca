// One measurement, and the one table of what is said of it: as datasets, as JSON and as text.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/operator/linear_operator.hpp"
#include "jobs/rates/samples.hpp"
#include "jobs/results/results.hpp"

namespace plaq::jobs {

/// A row of results. A text that is empty, a number that is NaN or below 0 and
/// extents of 0 mean that there is none.
struct Row {
  // The target.
  std::string target, storage;
  int right_hand_sides = 1;
  double mass = NAN;
  std::string configuration;
  int source = -1;
  // Its lattice and ranks.
  std::string scaling;
  Extents lattice{}, process_grid{};
  int ranks = 1, nodes = 1;
  std::string transport, where;
  // Numbers: times in seconds, flops and bytes of all ranks.
  double seconds = NAN, seconds_least = NAN, seconds_most = NAN;
  int samples = -1;
  double flops = NAN, bytes = NAN, flops_per_second = NAN, memory_limit = NAN, share = NAN;
  int iterations = -1, updates = -1;
  std::string outcome;
  double error = NAN, true_residual = NAN, inner_applications = NAN, outer_applications = NAN;
  double setup_seconds = NAN, multigrid_reduction = NAN;
  int multigrid_rounds = -1;
  double exchanges = NAN, bytes_sent = NAN, exposed = NAN;
  double packing = NAN, interior = NAN, arrived = NAN, exchange_exposed = NAN, boundary = NAN;
  double predicted = NAN, predicted_exposed = NAN, efficiency = NAN, speed_up = NAN;
  std::int64_t checksum = 0;  // 0: none
  std::string check;
  // Numbers of this target alone.
  std::vector<std::pair<std::string, double>> numbers;
  // Accuracy: (epsilon, proportion of the components that are off by epsilon or more).
  std::vector<std::pair<double, double>> curve;

  Row() = default;
  /// @param work  of one rank
  Row(const Samples& times, const Work& work, int on_ranks, std::string how);
  double number(std::string_view name) const;  // of `numbers`
};

/// A column of all tables of rows. Without a label it is not in the text.
struct Column {
  const char *name, *label, *units, *meaning;
  std::variant<std::string Row::*, Extents Row::*, int Row::*, std::int64_t Row::*, double Row::*> member;
};
std::span<const Column> columns();

/// Adds a dataset [row] for each column that any row fills in, /rows/NAME, those of `numbers` as
/// /numbers/NAME, and curves as /accuracy. Texts are int64, numbers in the attribute `names`.
void add_rows(Results& results, const std::vector<Row>& rows);
/// The inverse of add_rows().
std::vector<Row> rows_of(const Results& results);
nlohmann::ordered_json json_of(const std::vector<Row>& rows);
/// A line a row. Columns that are the same in all rows stand above it.
std::string text_of(const std::vector<Row>& rows);

}  // namespace plaq::jobs

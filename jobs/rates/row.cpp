#include "jobs/rates/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/system/error.hpp"
#include "jobs/common/terminal_text.hpp"

namespace plaq::jobs {
namespace {

constexpr std::size_t text_width = 110;

const Column all_columns[] = {
    {"target", "target", "", "operator, method, sweep or kernel that was measured, or a solver",
     &Row::target},
    {"storage", "storage", "", "precision, and real numbers that a link is stored as", &Row::storage},
    {"right_hand_sides", "rhs", "1", "right-hand sides at once, or gauge copies", &Row::right_hand_sides},
    {"mass", "mass", "1", "bare quark mass", &Row::mass},
    {"configuration", "configuration", "", "file of the gauge field; none: random links",
     &Row::configuration},
    {"source", "source", "1", "number of the first random source of a solve", &Row::source},
    {"scaling", "scaling", "", "strong: all ranks share the lattice of the job; weak: each rank has one",
     &Row::scaling},
    {"lattice", "lattice", "sites", "sites of all ranks in x, y, z, t", &Row::lattice},
    {"process_grid", "grid", "1", "ranks in x, y, z, t", &Row::process_grid},
    {"ranks", "ranks", "1", "ranks that took part", &Row::ranks},
    {"nodes", "nodes", "1", "nodes that the ranks were on", &Row::nodes},
    {"transport", "transport", "", "how faces travelled", &Row::transport},
    {"where", "where", "", "between which ranks faces travelled", &Row::where},
    {"seconds", "time", "s", "median time of one application, iteration, sweep or solve, of the slowest rank",
     &Row::seconds},
    {"seconds_least", "least", "s", "shortest", &Row::seconds_least},
    {"seconds_most", "most", "s", "longest", &Row::seconds_most},
    {"samples", "", "1", "times that it was measured", &Row::samples},
    {"flops", "", "1", "effective floating-point operations of all ranks", &Row::flops},
    {"bytes", "", "byte", "fewest bytes that all ranks move, links once for all right-hand sides",
     &Row::bytes},
    {"flops_per_second", "rate", "flop/s", "flops over the median time", &Row::flops_per_second},
    {"memory_limit", "memory limit", "byte/s",
     "what copy or triad reach in double precision in the same run, of all ranks", &Row::memory_limit},
    {"share", "share %", "1", "bytes over the median time, over the memory limit", &Row::share},
    {"iterations", "iterations", "1",
     "most iterations of a right-hand side, in all restarts and corrections together", &Row::iterations},
    {"updates", "updates", "1", "most times that the true residual of a right-hand side was recomputed",
     &Row::updates},
    {"outcome", "outcome", "", "how the worst right-hand side ended", &Row::outcome},
    {"true_residual", "residual", "1",
     "largest ||b - M x|| / ||b|| of the full system, recomputed in double precision", &Row::true_residual},
    {"error", "error", "1",
     "largest relative difference from double precision with 18 reals a link: of a result, of the operator "
     "of a "
     "method, of the functional of a sweep, of any component of an accuracy curve; of a solve |x - x0| / "
     "|x0| where "
     "x0 is known",
     &Row::error},
    {"inner_applications", "", "1", "of the operator that is iterated, or its adjoint, to a right-hand side",
     &Row::inner_applications},
    {"outer_applications", "", "1", "the same, for true residuals", &Row::outer_applications},
    {"setup_seconds", "setup", "s", "making operators, or setting multigrid up, on the slowest rank",
     &Row::setup_seconds},
    {"multigrid_reduction", "", "1", "factor by which an iteration with multigrid reduces the residual",
     &Row::multigrid_reduction},
    {"multigrid_rounds", "", "1", "times that near-null vectors were improved", &Row::multigrid_rounds},
    {"exposed", "exposed", "s", "time that computing waits for faces: that of an exchange times their number",
     &Row::exposed},
    {"exchanges", "", "1", "exchanges of faces", &Row::exchanges},
    {"bytes_sent", "sent", "byte", "faces that one rank sends", &Row::bytes_sent},
    {"packing", "", "s", "from the beginning of an exchange until its faces are packed", &Row::packing},
    {"interior", "", "s", "time of the interior kernel beside an exchange", &Row::interior},
    {"arrived", "", "s", "from the beginning of an exchange until the faces of the neighbours are there",
     &Row::arrived},
    {"exchange_exposed", "", "s", "from the end of the interior kernel until then, if it is later",
     &Row::exchange_exposed},
    {"boundary", "", "s", "time of the boundary kernel behind an exchange", &Row::boundary},
    {"predicted", "predicted", "s", "time that the model expects", &Row::predicted},
    {"predicted_exposed", "", "s", "communication that the model expects not to be hidden",
     &Row::predicted_exposed},
    {"efficiency", "effic. %", "1",
     "rate of a rank over that of the fewest ranks of the same row: n0 T0 / (n T) of strong, T0 / T of weak "
     "scaling",
     &Row::efficiency},
    {"speed_up", "speed-up", "1", "time of the first solver at the same mass over that of this one",
     &Row::speed_up},
    {"checksum", "", "1", "of all bits of the result: the same on any process grid", &Row::checksum},
    {"check", "check", "", "how the result was verified", &Row::check}};

bool is_set(const std::string& text) { return !text.empty(); }
bool is_set(const Extents& extents) { return extents != Extents{}; }
bool is_set(int number) { return number >= 0; }
bool is_set(std::int64_t number) { return number != 0; }
bool is_set(double number) { return !std::isnan(number); }
bool has(const Column& column, const Row& row) {
  return std::visit([&](auto member) { return is_set(row.*member); }, column.member);
}

// "12.34 us", "9.45 Tflop/s".
std::string with_prefix(double x, const char* units) {
  struct Prefix {
    const char* name;
    double size;
  };
  constexpr Prefix prefixes[] = {{"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"", 1}, {"m", 1e-3}};
  const bool time = std::string_view(units) == "s";
  for (const Prefix& p : prefixes)
    if (std::abs(x) >= p.size && !(time && p.size > 1))
      return fmt::format("{:.4g} {}{}", x / p.size, p.name, units);
  return x == 0 ? "0" : fmt::format("{:.4g} {}{}", 1e6 * x, "u", units);
}

std::string text_of(const Column& column, const Row& row) {
  if (!has(column, row)) return {};
  return std::visit(
      [&](auto member) -> std::string {
        const auto& value = row.*member;
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::string>) {
          return value;
        } else if constexpr (std::is_same_v<T, Extents>) {
          return to_string(value);
        } else if constexpr (std::is_same_v<T, double>) {
          const std::string_view units = column.units;
          if (std::string_view(column.label).ends_with('%')) return fmt::format("{:.1f}", 100 * value);
          return units == "1" ? fmt::format("{:.4g}", value) : with_prefix(value, column.units);
        } else {
          return fmt::format("{}", value);
        }
      },
      column.member);
}

std::vector<std::string> names_of_numbers(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows)
    for (const auto& [name, value] : row.numbers)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

// A line for each epsilon at which any curve is on its way from 1 to 0, a column for each curve.
std::string curves_text(const std::vector<Row>& rows) {
  std::vector<const Row*> curves;
  for (const Row& row : rows)
    if (!row.curve.empty()) curves.push_back(&row);
  if (curves.empty()) return {};
  std::string text =
      fmt::format("\nproportion of components that are off by epsilon or more\n{:<9}", "epsilon");
  for (const Row* row : curves) text += fmt::format(" {:>9}", row->storage);
  text += '\n';
  for (std::size_t e = 0; e < curves.front()->curve.size(); ++e) {
    std::string line = fmt::format("{:<9.0e}", curves.front()->curve[e].first);
    bool falls = false;
    for (const Row* row : curves) {
      const double here = row->curve.at(e).second;
      line += fmt::format(" {:>9.2g}", here);
      falls = falls || (here > 0 && here < 1);
    }
    if (falls) text += line + '\n';
  }
  return text;
}

void add_curves(Results& results, const std::vector<Row>& rows) {
  std::vector<std::int64_t> of_row;
  std::vector<double> epsilons, proportions;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].curve.empty()) continue;
    of_row.push_back(static_cast<std::int64_t>(i));
    for (const auto& [epsilon, proportion] : rows[i].curve) {
      epsilons.push_back(epsilon);
      proportions.push_back(proportion);
    }
  }
  if (of_row.empty()) return;
  const std::vector<std::size_t> extents{of_row.size(), epsilons.size() / of_row.size()};
  results.dataset("/accuracy/row", {of_row.size()}, of_row, described({"curve"}, "1", "row of the curve"));
  results.dataset("/accuracy/epsilon", extents, epsilons,
                  described({"curve", "epsilon"}, "1", "deviation of a component"));
  results.dataset(
      "/accuracy/proportion", extents, proportions,
      described({"curve", "epsilon"}, "1",
                "Delta: share of the components of M_ee eta that are off by epsilon or more, Clark et al. "
                "2010 eq. (3)"));
}

template <class T>
const std::vector<T>& values_of(const Dataset& dataset) {
  const auto* values = std::get_if<std::vector<T>>(&dataset.values);
  require(values != nullptr, "a column of rows that has another type");
  return *values;
}

}  // namespace

std::span<const Column> columns() { return all_columns; }

Row::Row(const Samples& times, const Work& work, int on_ranks, std::string how)
    : ranks(on_ranks),
      seconds(1e-6 * times.median),
      seconds_least(1e-6 * times.least),
      seconds_most(1e-6 * times.most),
      samples(times.count),
      flops(on_ranks * work.flops),
      bytes(on_ranks * work.bytes),
      check(std::move(how)) {}

double Row::number(std::string_view name) const {
  for (const auto& [of, value] : numbers)
    if (of == name) return value;
  return NAN;
}

void add_rows(Results& results, const std::vector<Row>& rows) {
  const std::size_t n = rows.size();
  const auto add = [&](const Column& c, std::vector<std::size_t> extents, Dataset::Values values,
                       std::vector<std::string> axes, const std::vector<std::string>& names = {}) {
    Attributes attributes = described(std::move(axes), c.units, c.meaning);
    if (!names.empty()) attributes.emplace_back("names", names);
    results.dataset(std::string("/rows/") + c.name, std::move(extents), std::move(values),
                    std::move(attributes));
  };
  for (const Column& c : columns()) {
    if (std::none_of(rows.begin(), rows.end(), [&](const Row& row) { return has(c, row); })) continue;
    std::visit(
        [&](auto member) {
          using T = std::decay_t<decltype(rows.front().*member)>;
          if constexpr (std::is_same_v<T, double>) {
            std::vector<double> values;
            for (const Row& row : rows) values.push_back(row.*member);
            add(c, {n}, std::move(values), {"row"});
          } else {
            std::vector<std::int64_t> values;
            std::vector<std::string> names;
            for (const Row& row : rows) {
              const T& value = row.*member;
              if constexpr (std::is_same_v<T, Extents>) {
                values.insert(values.end(), value.begin(), value.end());
              } else if constexpr (std::is_same_v<T, std::string>) {
                auto at = std::find(names.begin(), names.end(), value);
                if (at == names.end()) at = names.insert(names.end(), value);
                values.push_back(at - names.begin());
              } else {
                values.push_back(value);
              }
            }
            if constexpr (std::is_same_v<T, Extents>)
              add(c, {n, 4}, std::move(values), {"row", "direction"});
            else
              add(c, {n}, std::move(values), {"row"}, names);
          }
        },
        c.member);
  }
  for (const std::string& name : names_of_numbers(rows)) {
    std::vector<double> values;
    for (const Row& row : rows) values.push_back(row.number(name));
    results.dataset("/numbers/" + name, {n}, std::move(values),
                    described({"row"}, "", "of its target alone"));
  }
  add_curves(results, rows);
}

std::vector<Row> rows_of(const Results& results) {
  const Dataset* targets = find_dataset(results, "/rows/target");
  if (targets == nullptr) return {};
  std::vector<Row> rows(targets->extents.at(0));
  for (const Column& c : columns()) {
    const Dataset* dataset = find_dataset(results, std::string("/rows/") + c.name);
    if (dataset == nullptr) continue;
    std::visit(
        [&](auto member) {
          using T = std::decay_t<decltype(rows.front().*member)>;
          const auto* names = find_attribute<std::vector<std::string>>(dataset->attributes, "names");
          for (std::size_t i = 0; i < rows.size(); ++i) {
            T& to = rows[i].*member;
            if constexpr (std::is_same_v<T, double>) {
              to = values_of<double>(*dataset).at(i);
            } else if constexpr (std::is_same_v<T, Extents>) {
              for (std::size_t mu = 0; mu < 4; ++mu)
                to[mu] = static_cast<int>(values_of<std::int64_t>(*dataset).at(4 * i + mu));
            } else if constexpr (std::is_same_v<T, std::string>) {
              require(names != nullptr, "a column of texts that has no names");
              to = names->at(static_cast<std::size_t>(values_of<std::int64_t>(*dataset).at(i)));
            } else {
              to = static_cast<T>(values_of<std::int64_t>(*dataset).at(i));
            }
          }
        },
        c.member);
  }
  for (const Dataset& dataset : results.datasets)
    if (dataset.path.starts_with("/numbers/"))
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (const double value = values_of<double>(dataset).at(i); !std::isnan(value))
          rows[i].numbers.emplace_back(dataset.path.substr(std::string_view("/numbers/").size()), value);
  if (const Dataset* of_row = find_dataset(results, "/accuracy/row")) {
    const auto &epsilon = values_of<double>(*find_dataset(results, "/accuracy/epsilon")),
               &proportion = values_of<double>(*find_dataset(results, "/accuracy/proportion"));
    const auto& curves = values_of<std::int64_t>(*of_row);
    const std::size_t each = epsilon.size() / curves.size();
    for (std::size_t i = 0; i < epsilon.size(); ++i)
      rows.at(static_cast<std::size_t>(curves[i / each])).curve.emplace_back(epsilon[i], proportion[i]);
  }
  return rows;
}

nlohmann::ordered_json json_of(const std::vector<Row>& rows) {
  auto all = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json one;
    for (const Column& c : columns()) {
      if (!has(c, row)) continue;
      std::visit([&](auto member) { one[c.name] = row.*member; }, c.member);
    }
    if (row.checksum != 0) one["checksum"] = fmt::format("{:016x}", static_cast<std::uint64_t>(row.checksum));
    for (const auto& [name, value] : row.numbers) one["numbers"][name] = value;
    for (const auto& point : row.curve) one["curve"].push_back(point);
    all.push_back(std::move(one));
  }
  return all;
}

std::string text_of(const std::vector<Row>& rows) {
  struct Shown {
    std::string label;
    std::vector<std::string> cells;
  };
  std::vector<Shown> table;
  std::string above;
  const auto show = [&](const std::string& label, std::vector<std::string> cells, bool may_go) {
    const bool alike =
        std::all_of(cells.begin(), cells.end(), [&](const auto& cell) { return cell == cells.front(); });
    if (alike && (may_go || cells.front().empty())) {
      if (!cells.front().empty())
        above += fmt::format("{}{} {}", above.empty() ? "" : ", ", label, cells.front());
    } else {
      table.push_back({label, std::move(cells)});
    }
  };
  if (rows.empty()) return {};
  for (const Column& c : columns()) {
    if (c.label[0] == '\0') continue;
    std::vector<std::string> cells;
    for (const Row& row : rows) cells.push_back(text_of(c, row));
    const bool number = std::holds_alternative<double Row::*>(c.member);
    show(c.label, std::move(cells), std::string_view(c.name) != "target" && (rows.size() > 1 || !number));
  }
  for (const std::string& name : names_of_numbers(rows)) {
    std::vector<std::string> cells;
    for (const Row& row : rows) {
      const double value = row.number(name);
      cells.push_back(std::isnan(value) ? "" : fmt::format("{:.6g}", value));
    }
    show(name, std::move(cells), false);
  }
  std::string text = above.empty() ? above : wrapped(above, {}, text_width) + '\n';
  std::vector<std::size_t> widths;
  for (const Shown& column : table) {
    widths.push_back(column.label.size());
    for (const auto& cell : column.cells) widths.back() = std::max(widths.back(), cell.size());
  }
  const auto line = [&](const auto& cell_of) {
    std::string one;
    for (std::size_t i = 0; i < table.size(); ++i)
      one += i == 0 ? fmt::format("{:<{}}", cell_of(table[i]), widths[i])
                    : fmt::format("  {:>{}}", cell_of(table[i]), widths[i]);
    text += one.substr(0, one.find_last_not_of(' ') + 1) + '\n';
  };
  line([](const Shown& column) { return column.label; });
  for (std::size_t i = 0; i < rows.size(); ++i) line([i](const Shown& column) { return column.cells[i]; });
  return text + curves_text(rows);
}

}  // namespace plaq::jobs

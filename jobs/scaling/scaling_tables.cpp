#include "jobs/scaling/scaling_tables.hpp"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "jobs/dirac/solver_spec.hpp"
#include "jobs/rates/checked_faces.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::function<void(std::size_t k, const std::string& op, const std::string& storage, int rhs)>;

void for_all_rows(const ScalingKeys& keys, const Row& visit) {
  for (std::size_t o = 0; o < keys.operators.size(); ++o)
    for (std::size_t s = 0; s < keys.storages.size(); ++s)
      for (std::size_t r = 0; r < keys.right_hand_sides.size(); ++r)
        visit(keys.at(o, s, r), keys.name_of(keys.operators[o]), name_of(keys.storages[s]),
              keys.right_hand_sides[r]);
}

std::string bytes_text(double bytes) {
  if (bytes < 1e3) return fmt::format("{:.0f} B", bytes);
  if (bytes < 1e6) return fmt::format("{:.1f} kB", 1e-3 * bytes);
  return fmt::format("{:.2f} MB", 1e-6 * bytes);
}

std::string title_of(const ScalingPoint& point) {
  return point.kind == ScalingKind::strong
             ? fmt::format("strong scaling of {}", to_string(point.lattice))
             : fmt::format("weak scaling, {} on each rank", to_string(point.lattice));
}

// The lines of one operator on the points of a curve, [first, last).
std::string curve_text(const ScalingKeys& keys, const std::vector<ScalingPoint>& points, const Results& all,
                       std::size_t first, std::size_t last) {
  const bool model = find_dataset(all, "/scaling/predicted_microseconds") != nullptr;
  const auto number = [&](const char* name, std::size_t i, std::size_t k) {
    return scaling_numbers(all, name)[i * keys.size() + k];
  };
  const std::size_t reference = reference_of(points, first);
  std::string text = fmt::format(
      "{}; efficiency against {} rank{}\n{:<16} {:<9} {:>4} {:>5} {:<9} {:<10} {:>10} {:>9} {:>6} {:>9} "
      "{:>9}{}\n",
      title_of(points[first]), points[reference].ranks(), points[reference].ranks() == 1 ? "" : "s",
      "operator", "storage", "rhs", "ranks", "grid", "transport", "us", "TF/rank", "eff.", "exposed us",
      "sent", model ? fmt::format(" {:>10} {:>6}", "model us", "off") : "");
  for_all_rows(keys, [&](std::size_t k, const std::string& op, const std::string& storage, int rhs) {
    for (std::size_t i = first; i < last; ++i) {
      const double us = number("microseconds", i, k);
      text +=
          fmt::format("{:<16} {:<9} {:>4} {:>5} {:<9} {:<10} {:>10.2f} {:>9.4f} {:>5.1f}% {:>10.2f} {:>9}",
                      op, storage, rhs, points[i].ranks(), to_string(points[i].grid), points[i].transport, us,
                      number("tflops_per_rank", i, k), 100 * number("efficiency", i, k),
                      number("exposed_microseconds", i, k), bytes_text(number("bytes_sent", i, k)));
      if (model) {
        const double expected = number("predicted_microseconds", i, k);
        text += fmt::format(" {:>10.2f} {:>+5.0f}%", expected, 100 * (us / expected - 1));
      }
      text += '\n';
    }
  });
  return text;
}

}  // namespace

std::string point_text(const ScalingKeys& keys, const ScalingPoint& point, const Results& found) {
  std::string text = point.name() + '\n';
  for_all_rows(keys, [&](std::size_t k, const std::string& op, const std::string& storage, int rhs) {
    const auto number = [&](const char* name) { return scaling_numbers(found, name)[k]; };
    text += fmt::format(
        "  {:<16} {:<9} {:>3} rhs {:>10.2f} us ({:.2f} to {:.2f}) {:>9.4f} TFLOPS a rank, "
        "exposed {:.2f} us\n",
        op, storage, rhs, number("microseconds"), number("microseconds_least"), number("microseconds_most"),
        number("tflops_per_rank"), number("exposed_microseconds"));
  });
  return text;
}

std::string scaling_text(const ScalingKeys& keys, const std::vector<ScalingPoint>& points,
                         const std::vector<MissingPoint>& missing, const Results& all) {
  std::string text;
  for (std::size_t first = 0; first < points.size();) {
    std::size_t last = first;
    while (last < points.size() && points[last].same_curve(points[first])) ++last;
    text += '\n' + curve_text(keys, points, all, first, last);
    first = last;
  }
  if (keys.checked) text += checked_faces_text;
  if (missing.empty()) return text;
  text += fmt::format("\n{} point{} missing:\n", missing.size(), missing.size() == 1 ? " is" : "s are");
  for (const MissingPoint& one : missing) text += fmt::format("  {}: {}\n", one.point.name(), one.reason);
  return text;
}

std::string scaling_json(const ScalingKeys& keys, const std::vector<ScalingPoint>& points,
                         const std::vector<MissingPoint>& missing, const Results& all,
                         const Attributes& machine) {
  Json out = {{"job", "scaling"}, {"machine", Json::object()}, {"rows", Json::array()}};
  for (const auto& [name, value] : machine)
    std::visit([&, &key = name](const auto& x) { out["machine"][key] = x; }, value);
  const auto& nodes = std::get<std::vector<std::int64_t>>(find_dataset(all, "/points/nodes")->values);
  const auto& equal = std::get<std::vector<std::int64_t>>(find_dataset(all, "/points/equal_to")->values);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ScalingPoint& point = points[i];
    for_all_rows(keys, [&](std::size_t k, const std::string& op, const std::string& storage, int rhs) {
      Json row = {{"kind", scaling_kind_names[static_cast<std::size_t>(point.kind)]},
                  {"lattice", point.lattice},
                  {"extents", point.global()},
                  {"ranks", point.ranks()},
                  {"process_grid", point.grid},
                  {"transport", point.transport},
                  {"nodes", nodes[i]},
                  {"operator", op},
                  {"storage", storage},
                  {"right_hand_sides", rhs},
                  {"against_ranks", points[reference_of(points, i)].ranks()}};
      row["bits_equal_to"] = equal[i] < 0 ? Json() : Json(points[static_cast<std::size_t>(equal[i])].name());
      for (const Dataset& dataset : all.datasets) {
        const auto name = dataset.path.substr(dataset.path.rfind('/') + 1);
        const std::size_t at = i * keys.size() + k;
        if (name == "checksum")
          row[name] = fmt::format(
              "{:016x}", static_cast<std::uint64_t>(std::get<std::vector<std::int64_t>>(dataset.values)[at]));
        else if (dataset.path.starts_with("/scaling/"))
          row[name] = std::get<std::vector<double>>(dataset.values)[at];
        else if (dataset.path.starts_with("/exchange/"))
          row["exchange"][name] = std::get<std::vector<double>>(dataset.values)[at];
      }
      out["rows"].push_back(row);
    });
  }
  out["missing"] = Json::array();
  for (const MissingPoint& one : missing)
    out["missing"].push_back({{"point", one.point.name()}, {"reason", one.reason}});
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace plaq::jobs

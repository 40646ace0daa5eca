#include "jobs/scaling/scaling_tables.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "jobs/common/wrap.hpp"
#include "jobs/rates/checked_faces.hpp"
#include "jobs/study/columns.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;
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

// A table of the points of a curve, [first, last): the lines of an operator stand together.
std::string curve_text(const ScalingKeys& keys, const std::vector<ScalingPoint>& points, const Results& all,
                       std::size_t first, std::size_t last) {
  const bool model = Numbers::are_in(all, "/scaling/predicted_microseconds"), setups = keys.has_multigrid();
  const std::size_t reference = reference_of(points, first);
  std::string text = fmt::format(
      "{}; efficiency against {}\n{:<16} {:<9} {:>4} {:>5} {:<9} {:<10} {:>10} {:>9} {:>6} {:>9} "
      "{:>9}{}{}\n",
      title_of(points[first]), counted(points[reference].ranks(), "rank"), "operator", "storage", "rhs",
      "ranks", "grid", "transport", "us", "TF/rank", "eff.", "exposed us", "sent",
      setups ? fmt::format(" {:>8}", "setup s") : "",
      model ? fmt::format(" {:>10} {:>6}", "model us", "off") : "");
  keys.lists.for_each([&](std::size_t k, const std::string& key, const StudyStorage& storage, int rhs) {
    for (std::size_t i = first; i < last; ++i) {
      const auto number = [&](const char* name) {
        return Numbers(all, std::string("/scaling/") + name)[i * keys.lists.size() + k];
      };
      const double us = number("microseconds");
      text += fmt::format(
          "{:<16} {:<9} {:>4} {:>5} {:<9} {:<10} {:>10.2f} {:>9.4f} {:>5.1f}% {:>10.2f} {:>9}",
          subject_name(key, keys.parameters), name_of(storage), rhs, points[i].ranks(),
          to_string(points[i].grid), points[i].transport, us, number("tflops_per_rank"),
          100 * number("efficiency"), number("exposed_microseconds"), bytes_text(number("bytes_sent")));
      if (setups) {
        const double seconds = number("setup_seconds");
        text += seconds > 0 ? fmt::format(" {:>8.2f}", seconds) : fmt::format(" {:>8}", "");
      }
      if (model) {
        const double expected = number("predicted_microseconds");
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
  keys.lists.for_each([&](std::size_t k, const std::string& key, const StudyStorage& storage, int rhs) {
    const auto number = [&](const char* name) { return Numbers(found, std::string("/scaling/") + name)[k]; };
    const double setup = number("setup_seconds");
    text += fmt::format(
        "  {:<16} {:<9} {:>3} rhs {:>10.2f} us ({:.2f} to {:.2f}) {:>9.4f} TFLOPS a rank, "
        "exposed {:.2f} us{}\n",
        subject_name(key, keys.parameters), name_of(storage), rhs, number("microseconds"),
        number("microseconds_least"), number("microseconds_most"), number("tflops_per_rank"),
        number("exposed_microseconds"), setup > 0 ? fmt::format(", setup {:.2f} s", setup) : "");
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
  for (const MissingPoint& one : missing) text += "  " + one.text() + '\n';
  return text;
}

std::string scaling_json(const ScalingKeys& keys, const std::vector<ScalingPoint>& points,
                         const std::vector<MissingPoint>& missing, const Results& all,
                         const Attributes& machine) {
  Json out = {{"job", "scaling"}, {"machine", Json::object()}, {"rows", Json::array()}};
  for (const auto& [name, value] : machine)
    std::visit([&, &key = name](const auto& x) { out["machine"][key] = x; }, value);
  const Numbers nodes(all, "/points/nodes"), equal(all, "/points/equal_to");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ScalingPoint& point = points[i];
    keys.lists.for_each([&](std::size_t k, const std::string& key, const StudyStorage& storage, int rhs) {
      Json row = {{"kind", scaling_kind_names[static_cast<std::size_t>(point.kind)]},
                  {"lattice", point.lattice},
                  {"extents", point.global()},
                  {"ranks", point.ranks()},
                  {"process_grid", point.grid},
                  {"transport", point.transport},
                  {"nodes", static_cast<int>(nodes(i))},
                  {"operator", subject_name(key, keys.parameters)},
                  {"storage", name_of(storage)},
                  {"right_hand_sides", rhs},
                  {"against_ranks", points[reference_of(points, i)].ranks()}};
      row["bits_equal_to"] = equal(i) < 0 ? Json() : Json(points[static_cast<std::size_t>(equal(i))].name());
      for (const Dataset& dataset : all.datasets) {
        const auto name = dataset.path.substr(dataset.path.rfind('/') + 1);
        const std::size_t at = i * keys.lists.size() + k;
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

#include "jobs/results/observable_columns.hpp"

namespace plaq::jobs {
namespace {

using Row = GaugeObservables;

struct Column {
  const char *observable, *name, *meaning;
  double (*value)(const Row&);
};
constexpr Column columns[] = {
    {"plaquette", "plaquette", "average of Re tr P / 3 over all plaquettes",
     [](const Row& r) { return r.plaquette.all; }},
    {"plaquette", "plaquette_spatial", "the same over xy, xz, yz",
     [](const Row& r) { return r.plaquette.spatial; }},
    {"plaquette", "plaquette_temporal", "the same over xt, yt, zt",
     [](const Row& r) { return r.plaquette.temporal; }},
    {"link_trace", "link_trace", "average of Re tr U / 3 over all links",
     [](const Row& r) { return r.link_trace; }},
    {"unitarity", "unitarity_violation", "largest |U U^dagger - 1| and |det U - 1| of any link",
     [](const Row& r) { return r.unitarity_violation; }}};

constexpr const char* loop_meaning = "average over space of tr L / 3, L the product of the links along t";

Attributes attributes_of(const char* meaning) {
  return {{"units", std::string("1")}, {"meaning", std::string(meaning)}};
}

Attributes with_axes(std::vector<std::string> axes, const char* meaning) {
  Attributes attributes = attributes_of(meaning);
  attributes.insert(attributes.begin(), {"axes", std::move(axes)});
  return attributes;
}

}  // namespace

void add_observables(Results& results, const std::string& group, const GaugeObservables& row,
                     const std::function<bool(const char*)>& wanted) {
  for (const Column& column : columns)
    if (wanted(column.observable))
      results.dataset(group + "/" + column.name, {}, std::vector{column.value(row)},
                      with_axes({}, column.meaning));
  if (wanted("polyakov_loop"))
    results.dataset(group + "/polyakov_loop", {2},
                    std::vector{row.polyakov_loop.real(), row.polyakov_loop.imag()},
                    with_axes({"real, imaginary"}, loop_meaning));
}

void add_observable_columns(Results& results, const std::string& group,
                            std::span<const GaugeObservables> rows, const std::string& axis) {
  if (rows.empty()) return;
  for (const Column& column : columns) {
    std::vector<double> values;
    for (const Row& row : rows) values.push_back(column.value(row));
    results.dataset(group + "/" + column.name, {rows.size()}, std::move(values),
                    with_axes({axis}, column.meaning));
  }
  std::vector<double> loops;
  for (const Row& row : rows) {
    loops.push_back(row.polyakov_loop.real());
    loops.push_back(row.polyakov_loop.imag());
  }
  results.dataset(group + "/polyakov_loop", {rows.size(), 2}, std::move(loops),
                  with_axes({axis, "real, imaginary"}, loop_meaning));
}

}  // namespace plaq::jobs

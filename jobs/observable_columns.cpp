#include "jobs/observable_columns.hpp"

namespace plaq::jobs {

void ObservableColumns::write_one(OutputFile& out, const std::string& where, const std::string& axis,
                                  const std::string& meaning, const Value& value) const {
  std::vector<double> column;
  for (const auto& row : rows_) column.push_back(value(row));
  out.dataset(where, column, {column.size()},
              {{"axes", axis}, {"units", std::string("1")}, {"meaning", meaning}});
}

void ObservableColumns::write(OutputFile& out, const std::string& group, const std::string& axis,
                              const std::function<bool(const char*)>& wanted) const {
  if (rows_.empty()) return;
  using Row = GaugeObservables;
  if (wanted("plaquette")) {
    write_one(out, group + "/plaquette", axis, "average of Re tr P / 3 over all plaquettes",
              [](const Row& r) { return r.plaquette.all; });
    write_one(out, group + "/plaquette_spatial", axis, "the same over xy, xz, yz",
              [](const Row& r) { return r.plaquette.spatial; });
    write_one(out, group + "/plaquette_temporal", axis, "the same over xt, yt, zt",
              [](const Row& r) { return r.plaquette.temporal; });
  }
  if (wanted("link_trace"))
    write_one(out, group + "/link_trace", axis, "average of Re tr U / 3 over all links",
              [](const Row& r) { return r.link_trace; });
  if (wanted("unitarity"))
    write_one(out, group + "/unitarity_violation", axis,
              "largest |U U^dagger - 1| and |det U - 1| of any link",
              [](const Row& r) { return r.unitarity_violation; });
  if (!wanted("polyakov_loop")) return;
  std::vector<double> loops;
  for (const auto& row : rows_)
    loops.insert(loops.end(), {row.polyakov_loop.real(), row.polyakov_loop.imag()});
  out.dataset(
      group + "/polyakov_loop", loops, {rows_.size(), 2},
      {{"axes", std::vector<std::string>{axis, "real, imaginary"}},
       {"units", std::string("1")},
       {"meaning", std::string("average over space of tr L / 3, L the product of the links along t")}});
}

}  // namespace plaq::jobs

#include "jobs/kernel_study/kernel_study_results.hpp"

#include <algorithm>

#include "jobs/study/columns.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq::jobs {
namespace {

using Texts = std::vector<std::string>;

struct Rate : Measured {
  int ranks = 1;
  double stream = 0;
};
using R = const Rate&;

const Column<Rate> rate_columns[] = {
    {"/rates/gflops", "10^9 flop/s", "effective flops of all ranks over the median time",
     [](R r) { return 1e-9 * r.ranks * r.flops_per_second(); }},
    {"/rates/microseconds", "10^-6 s", "median time of one application, of the slowest rank",
     [](R r) { return r.samples.median; }},
    {"/rates/microseconds_least", "10^-6 s", "shortest", [](R r) { return r.samples.least; }},
    {"/rates/microseconds_most", "10^-6 s", "longest", [](R r) { return r.samples.most; }},
    {"/rates/bytes", "byte",
     "the fewest that all ranks move for one application, links once for all right-hand sides",
     [](R r) { return r.ranks * r.work.bytes; }},
    {"/rates/bytes_per_second", "byte/s", "these bytes over the median time",
     [](R r) { return r.ranks * r.bytes_per_second(); }},
    {"/rates/difference", "1",
     "relative difference of the result from that in double precision with 18 reals a link",
     [](R r) { return r.difference; }}};
const Column<Rate> share_columns[] = {
    {"/rates/share", "1", "bytes_per_second over what copy or triad reach on as many ranks in the same run",
     [](R r) { return r.bytes_per_second() / r.stream; }}};
const Column<double> stream_columns[] = {{"/rates/stream_bytes_per_second", "byte/s",
                                          "the best of copy and triad in double precision, of one rank",
                                          [](const double& stream) { return stream; }}};

struct Solver : Rate {
  double of_operator = 0;  // its flops a second
};
const Column<Solver> solver_columns[] = {
    {"/solvers/gflops", "10^9 flop/s",
     "sustained rate of the method, operator and vector updates, of all ranks",
     [](const Solver& s) { return 1e-9 * s.ranks * s.flops_per_second(); }},
    {"/solvers/share", "1", "gflops over operator_gflops",
     [](const Solver& s) { return s.flops_per_second() / s.of_operator; }},
    {"/solvers/microseconds", "10^-6 s", "time of one iteration",
     [](const Solver& s) { return s.samples.median; }}};
const Column<Rate> operator_columns[] = {
    {"/solvers/operator_gflops", "10^9 flop/s", "rate of the operator alone, of all ranks",
     [](R r) { return 1e-9 * r.ranks * r.flops_per_second(); }},
    {"/solvers/operator_difference", "1", "relative difference of its result from that in double precision",
     [](R r) { return r.difference; }}};

// As stack() with the new axis last instead of first.
Results stack_behind(const std::vector<Results>& list, const std::string& axis) {
  Results all = stack(list, axis);
  const auto first_to_last = [](auto& v) { std::rotate(v.begin(), v.begin() + 1, v.end()); };
  for (Dataset& data : all.datasets) {
    first_to_last(data.extents);
    for (auto& [name, value] : data.attributes)
      if (name == "axes") first_to_last(std::get<Texts>(value));
    auto& values = std::get<std::vector<double>>(data.values);
    const std::vector<double> stacked = values;
    const std::size_t each = values.size() / list.size();
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = stacked[i % list.size() * each + i / list.size()];
  }
  return all;
}

}  // namespace

Results results_of_rates(const std::vector<Measured>& found, const KernelStudyKeys& keys, int ranks,
                         double stream) {
  const SubjectLists lists = keys.rated();
  std::vector<Rate> rates;
  for (std::size_t r = 0; r < keys.right_hand_sides.size(); ++r)
    for (std::size_t o = 0; o < keys.operators.size(); ++o)
      for (std::size_t s = 0; s < keys.storages.size(); ++s)
        rates.push_back({found.at(lists.at(o, s, r)), ranks, stream});
  const Texts axes = {"right_hand_sides", "operator", "storage"};
  const std::vector<std::size_t> extents = {keys.right_hand_sides.size(), keys.operators.size(),
                                            keys.storages.size()};
  Results results;
  add_columns<Rate>(results, rates, axes, extents, rate_columns);
  if (stream == 0) return results;
  add_columns<Rate>(results, rates, axes, extents, share_columns);
  add_columns<double>(results, {stream}, {}, {}, stream_columns);
  return results;
}

Results results_of_solvers(const std::vector<Measured>& found, int ranks) {
  const Rate op{found.at(0), ranks};
  std::vector<Solver> methods;
  for (std::size_t m = 1; m < found.size(); ++m)
    methods.push_back({{found[m], ranks}, op.flops_per_second()});
  Results results;
  add_columns<Solver>(results, methods, {"method"}, {methods.size()}, solver_columns);
  add_columns<Rate>(results, {op}, {}, {}, operator_columns);
  return results;
}

Results results_of_accuracy(const std::vector<AccuracyCurve>& curves, const std::vector<double>& epsilons) {
  Results results;
  std::vector<double> proportions, largest;
  for (const auto& curve : curves) {
    proportions.insert(proportions.end(), curve.proportions.begin(), curve.proportions.end());
    largest.push_back(curve.largest);
  }
  results.dataset("/accuracy/epsilon", {epsilons.size()}, epsilons,
                  described({"epsilon"}, "1", "deviation of a component"));
  results.dataset(
      "/accuracy/proportion", {curves.size(), epsilons.size()}, std::move(proportions),
      described({"storage", "epsilon"}, "1",
                "Delta: share of the components of M_ee eta that are off by epsilon or more, Clark "
                "et al. 2010 eq. (3)"));
  results.dataset("/accuracy/largest", {curves.size()}, std::move(largest),
                  described({"storage"}, "1", "largest deviation of any component"));
  return results;
}

Results join_kernel_study(const std::vector<Results>& pieces, const KernelStudyKeys& keys) {
  auto next = pieces.begin();
  const auto take = [&](std::size_t count) {
    const std::vector<Results> taken(next, next + static_cast<std::ptrdiff_t>(count));
    next += static_cast<std::ptrdiff_t>(count);
    return taken;
  };
  Results all;
  if (!keys.temporal_extents.empty()) {
    Texts operators;
    for (const std::string& key : keys.operators) operators.push_back(keys.name_of(key));
    all.append(stack_behind(take(keys.temporal_extents.size()), "temporal_extent"));
    all.group("/rates", {{"right_hand_sides", integers(keys.right_hand_sides)},
                         {"operators", operators},
                         {"storages", names_of(keys.storages)},
                         {"temporal_extents", integers(keys.temporal_extents)},
                         {"spatial_extents",
                          std::vector<std::int64_t>(keys.extents.begin(), keys.extents.begin() + 3)}});
  }
  if (!keys.methods.empty()) {
    all.append(stack_behind(take(keys.solved_storages.size()), "storage"));
    all.group("/solvers", {{"methods", keys.methods},
                           {"storages", names_of(keys.solved_storages)},
                           {"operator", keys.name_of("schur")},
                           {"right_hand_sides", std::int64_t{1}},
                           {"iterations", std::int64_t{keys.iterations}},
                           {"extents", integers(keys.extents)}});
  }
  if (!keys.accurate_storages.empty()) {
    all.append(take(1).front());
    all.group("/accuracy", {{"storages", names_of(keys.accurate_storages)},
                            {"operator", std::string("wilson_schur")},
                            {"mass", 0.0},
                            {"extents", integers(keys.with_time(keys.accuracy_extent))}});
  }
  return all;
}

}  // namespace plaq::jobs

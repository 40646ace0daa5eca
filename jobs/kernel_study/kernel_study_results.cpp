#include "jobs/kernel_study/kernel_study_results.hpp"

#include <functional>

#include "core/system/error.hpp"
#include "jobs/dirac/solver_spec.hpp"

namespace plaq::jobs {
namespace {

using Axes = std::vector<std::string>;

// The datasets get a last extent, the number of results, and `axis` behind their attribute `axes`.
Results stack_last(const std::vector<Results>& list, const std::string& axis) {
  Results all = list.front();
  for (std::size_t d = 0; d < all.datasets.size(); ++d) {
    Dataset& to = all.datasets[d];
    std::vector<double> values;
    for (std::size_t i = 0; i < std::get<std::vector<double>>(to.values).size(); ++i)
      for (const Results& one : list) {
        const Dataset& from = one.datasets.at(d);
        require(from.path == to.path && from.extents == list.front().datasets[d].extents,
                "pieces of a study with different datasets");
        values.push_back(std::get<std::vector<double>>(from.values)[i]);
      }
    to.extents.push_back(list.size());
    to.values = std::move(values);
    for (auto& [name, value] : to.attributes)
      if (name == "axes") std::get<Axes>(value).push_back(axis);
  }
  return all;
}

Axes names_of(const std::vector<LinkStorage>& storages) {
  Axes names;
  for (const auto& storage : storages) names.push_back(name_of(storage));
  return names;
}

std::vector<std::int64_t> wide(const auto& numbers) { return {numbers.begin(), numbers.end()}; }

Attributes attributes_of_rates(const KernelStudyKeys& keys) {
  Axes operators;
  for (const auto op : keys.operators) operators.push_back(keys.name_of(op));
  return {{"right_hand_sides", wide(keys.right_hand_sides)},
          {"operators", operators},
          {"storages", names_of(keys.storages)},
          {"temporal_extents", wide(keys.temporal_extents)},
          {"spatial_extents", std::vector<std::int64_t>(keys.extents.begin(), keys.extents.begin() + 3)}};
}

}  // namespace

Results results_of_rates(const std::vector<OperatorRate>& rates, const KernelStudyKeys& keys, int ranks,
                         double stream) {
  Results results;
  const std::vector<std::size_t> extents = {keys.right_hand_sides.size(), keys.operators.size(),
                                            keys.storages.size()};
  const auto add = [&](const char* name, const char* units, const char* meaning,
                       const std::function<double(const OperatorRate&)>& value) {
    std::vector<double> values;
    for (const auto& rate : rates) values.push_back(value(rate));
    results.dataset(std::string("/rates/") + name, extents, std::move(values),
                    described({"right_hand_sides", "operator", "storage"}, units, meaning));
  };
  const auto seconds = [](const OperatorRate& r) { return 1e-6 * r.samples.median; };
  add("gflops", "10^9 flop/s", "effective flops of all ranks over the median time",
      [&](const auto& r) { return 1e-9 * ranks * r.work.flops / seconds(r); });
  add("microseconds", "10^-6 s", "median time of one application, of the slowest rank",
      [](const auto& r) { return r.samples.median; });
  add("microseconds_least", "10^-6 s", "shortest", [](const auto& r) { return r.samples.least; });
  add("microseconds_most", "10^-6 s", "longest", [](const auto& r) { return r.samples.most; });
  add("bytes", "byte",
      "the fewest that all ranks move for one application, links once for all right-hand sides",
      [&](const auto& r) { return ranks * r.work.bytes; });
  add("bytes_per_second", "byte/s", "these bytes over the median time",
      [&](const auto& r) { return ranks * r.work.bytes / seconds(r); });
  add("difference", "1",
      "relative difference of the result from that in double precision with 18 reals a link",
      [](const auto& r) { return r.difference; });
  if (stream == 0) return results;
  add("share", "1", "bytes_per_second over what copy or triad reach on as many ranks in the same run",
      [&](const auto& r) { return r.work.bytes / seconds(r) / stream; });
  results.dataset("/rates/stream_bytes_per_second", {}, std::vector<double>{stream},
                  described({}, "byte/s", "the best of copy and triad in double precision, of one rank"));
  return results;
}

Results results_of_solvers(const OperatorRate& op, const std::vector<SolverRate>& methods, int ranks) {
  Results results;
  std::vector<double> gflops, share, microseconds;
  const double of_operator = 1e-3 * ranks * op.work.flops / op.samples.median;
  for (const auto& method : methods) {
    gflops.push_back(1e-9 * method.flops / method.seconds);
    share.push_back(gflops.back() / of_operator);
    microseconds.push_back(1e6 * method.seconds / method.iterations);
  }
  const std::vector<std::size_t> extents{methods.size()};
  results.dataset("/solvers/gflops", extents, std::move(gflops),
                  described({"method"}, "10^9 flop/s",
                            "sustained rate of the method, operator and vector updates, of all ranks"));
  results.dataset("/solvers/share", extents, std::move(share),
                  described({"method"}, "1", "gflops over operator_gflops"));
  results.dataset("/solvers/microseconds", extents, std::move(microseconds),
                  described({"method"}, "10^-6 s", "time of one iteration"));
  results.dataset("/solvers/operator_gflops", {}, std::vector<double>{of_operator},
                  described({}, "10^9 flop/s", "rate of the operator alone, of all ranks"));
  results.dataset("/solvers/operator_difference", {}, std::vector<double>{op.difference},
                  described({}, "1", "relative difference of its result from that in double precision"));
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
    all.append(stack_last(take(keys.temporal_extents.size()), "temporal_extent"));
    all.group("/rates", attributes_of_rates(keys));
  }
  if (!keys.methods.empty()) {
    all.append(stack_last(take(keys.solved_storages.size()), "storage"));
    all.group("/solvers", {{"methods", keys.methods},
                           {"storages", names_of(keys.solved_storages)},
                           {"operator", keys.name_of(RatedOperator::schur)},
                           {"right_hand_sides", std::int64_t{1}},
                           {"iterations", std::int64_t{keys.iterations}},
                           {"extents", wide(keys.extents)}});
  }
  if (!keys.accurate_storages.empty()) {
    all.append(take(1).front());
    all.group("/accuracy", {{"storages", names_of(keys.accurate_storages)},
                            {"operator", std::string("wilson_schur")},
                            {"mass", 0.0},
                            {"extents", wide(keys.with_time(keys.accuracy_extent))}});
  }
  return all;
}

const std::vector<double>& numbers_at(const Results& results, std::string_view path) {
  const Dataset* found = find_dataset(results, path);
  require(found != nullptr, "a dataset of a study that is not there was asked for");
  return std::get<std::vector<double>>(found->values);
}

bool has_dataset(const Results& results, const std::string& path) {
  return find_dataset(results, path) != nullptr;
}

}  // namespace plaq::jobs

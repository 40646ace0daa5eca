#include "jobs/scaling/scaling_results.hpp"

#include <fmt/format.h>

#include <functional>

#include "comms/transport/transport_choice.hpp"
#include "core/system/error.hpp"
#include "jobs/dirac/solver_spec.hpp"

namespace plaq::jobs {
namespace {

using Axes = std::vector<std::string>;
using Integers = std::vector<std::int64_t>;

Integers wide(const auto& numbers) { return {numbers.begin(), numbers.end()}; }

const Axes axes_of_times = {"operator", "storage", "right_hand_sides"};

const Integers& integers_at(const Results& results, std::string_view path) {
  const Dataset* found = find_dataset(results, path);
  require(found != nullptr, "a dataset of a study that is not there was asked for");
  return std::get<Integers>(found->values);
}

// [point][operator][storage][right_hand_sides]
void add_derived(Results& all, const ScalingKeys& keys, std::size_t points, const char* name,
                 const char* units, const char* meaning, std::vector<double> values) {
  Axes axes = axes_of_times;
  axes.insert(axes.begin(), "point");
  all.dataset(std::string("/scaling/") + name,
              {points, keys.operators.size(), keys.storages.size(), keys.right_hand_sides.size()},
              std::move(values), described(std::move(axes), units, meaning));
}

void add_efficiencies(Results& all, const ScalingKeys& keys, const std::vector<ScalingPoint>& points) {
  const auto us = scaling_numbers(all, "microseconds");
  std::vector<double> efficiencies;
  Integers references, equals;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t reference = reference_of(points, i), same = same_lattice(points, i);
    const double share = points[i].kind == ScalingKind::weak
                             ? 1
                             : static_cast<double>(points[reference].ranks()) / points[i].ranks();
    for (std::size_t k = 0; k < keys.size(); ++k)
      efficiencies.push_back(share * us[reference * keys.size() + k] / us[i * keys.size() + k]);
    references.push_back(static_cast<std::int64_t>(reference));
    equals.push_back(same == i ? -1 : static_cast<std::int64_t>(same));
  }
  add_derived(all, keys, points.size(), "efficiency", "1",
              "rate of a rank over that at the point `reference`: of strong scaling n0 T0 / (n T), of weak "
              "scaling T0 / T",
              std::move(efficiencies));
  all.dataset("/points/reference", {points.size()}, std::move(references),
              described({"point"}, "1", "the point of the same curve that efficiency is against"));
  all.dataset("/points/equal_to", {points.size()}, std::move(equals),
              described({"point"}, "1",
                        "a point of the same whole lattice whose results had the same bits; -1: none"));
}

void add_predictions(Results& all, const ScalingKeys& keys, const std::vector<ScalingPoint>& points,
                     const Predictor& predictor) {
  if (!predictor.knows_machine()) return;
  const Integers& nodes = integers_at(all, "/points/nodes");
  std::vector<double> times, exposed;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto on = static_cast<int>(nodes[i]);
    const int ranks_per_node = (points[i].ranks() + on - 1) / on;
    for (const std::string& op : keys.operators)
      for (const ScaledStorage& storage : keys.storages)
        for (const int rhs : keys.right_hand_sides) {
          const Prediction p = predictor.predict(keys, points[i], ranks_per_node, op, storage, rhs);
          times.push_back(p.microseconds);
          exposed.push_back(p.exposed_microseconds);
        }
  }
  add_derived(all, keys, points.size(), "predicted_microseconds", "10^-6 s", "time that the model expects",
              std::move(times));
  add_derived(all, keys, points.size(), "predicted_exposed_microseconds", "10^-6 s",
              "communication that the model expects not to be hidden", std::move(exposed));
}

}  // namespace

const std::vector<double>& scaling_numbers(const Results& results, const std::string& name) {
  const Dataset* found = find_dataset(results, "/scaling/" + name);
  require(found != nullptr, "a dataset of a study that is not there was asked for");
  return std::get<std::vector<double>>(found->values);
}

Results results_of_point(const ScalingKeys& keys, const ScalingPoint& point, int nodes,
                         const std::vector<ScaledTimes>& times) {
  Results results;
  const auto about = [&](const char* name, std::vector<std::size_t> extents, Integers values, Axes axes,
                         const char* units, const char* meaning) {
    results.dataset(std::string("/points/") + name, std::move(extents), std::move(values),
                    described(std::move(axes), units, meaning));
  };
  about("kind", {}, {static_cast<std::int64_t>(point.kind)}, {}, "1", "number in `kinds` of /points");
  about("ranks", {}, {point.ranks()}, {}, "1", "ranks that took part");
  about("process_grid", {4}, wide(point.grid), {"direction"}, "1", "ranks in x, y, z, t");
  about("lattice", {4}, wide(point.lattice), {"direction"}, "sites",
        "of strong scaling the whole lattice, of weak scaling the part of a rank");
  about("extents", {4}, wide(point.global()), {"direction"}, "sites", "the whole lattice");
  about("transport", {}, {static_cast<std::int64_t>(*transport_kind(point.transport))}, {}, "1",
        "number in `transports` of /points");
  about("nodes", {}, {nodes}, {}, "1", "nodes that the ranks were on");
  const std::vector<std::size_t> extents = {keys.operators.size(), keys.storages.size(),
                                            keys.right_hand_sides.size()};
  const auto add = [&](const char* path, const char* units, const char* meaning,
                       const std::function<double(const ScaledTimes&)>& value) {
    std::vector<double> values;
    for (const ScaledTimes& one : times) values.push_back(value(one));
    results.dataset(path, extents, std::move(values), described(axes_of_times, units, meaning));
  };
  using T = const ScaledTimes&;
  add("/scaling/microseconds", "10^-6 s",
      "median time of one application, iteration of a method or sweep, of the slowest rank",
      [](T t) { return t.samples.median; });
  add("/scaling/microseconds_least", "10^-6 s", "shortest", [](T t) { return t.samples.least; });
  add("/scaling/microseconds_most", "10^-6 s", "longest", [](T t) { return t.samples.most; });
  add("/scaling/tflops_per_rank", "10^12 flop/s", "effective flops of a rank over the median time",
      [](T t) { return 1e-6 * t.work.flops / t.samples.median; });
  add("/scaling/exposed_microseconds", "10^-6 s",
      "time that computing waits for faces in one application: that of an exchange times their number",
      [](T t) { return t.exchanges * t.exchange.exposed; });
  add("/scaling/bytes_sent", "byte", "faces that one rank sends in one application",
      [](T t) { return t.bytes_sent; });
  add("/scaling/exchanges", "1", "of faces in one application", [](T t) { return t.exchanges; });
  add("/scaling/difference", "1",
      "relative difference of the result from that in double precision with 18 reals a link; of a method "
      "that of its operator, of gauge fixing that of the functional",
      [](T t) { return t.difference; });
  add("/exchange/packing", "10^-6 s", "from the beginning of an exchange until its faces are packed",
      [](T t) { return t.exchange.packing; });
  add("/exchange/interior", "10^-6 s", "time of the interior kernel beside it",
      [](T t) { return t.exchange.interior; });
  add("/exchange/arrived", "10^-6 s",
      "from the beginning of an exchange until the faces of the neighbours are there",
      [](T t) { return t.exchange.arrived; });
  add("/exchange/exposed", "10^-6 s", "from the end of the interior kernel until then, if it is later",
      [](T t) { return t.exchange.exposed; });
  add("/exchange/boundary", "10^-6 s", "time of the boundary kernel behind it",
      [](T t) { return t.exchange.boundary; });
  Integers checksums;
  for (const ScaledTimes& one : times) checksums.push_back(static_cast<std::int64_t>(one.checksum));
  results.dataset("/scaling/checksum", extents, std::move(checksums),
                  described(axes_of_times, "1", "of all bits of the result: the same on any process grid"));
  return results;
}

std::size_t reference_of(const std::vector<ScalingPoint>& points, std::size_t i) {
  std::size_t best = i;
  const auto better = [&](const ScalingPoint& a, const ScalingPoint& b) {
    if (a.ranks() != b.ranks()) return a.ranks() < b.ranks();
    return a.transport == points[i].transport && b.transport != points[i].transport;
  };
  for (std::size_t j = points.size(); j-- > 0;)  // the first of equal ones
    if (points[j].same_curve(points[i]) && !better(points[best], points[j])) best = j;
  return best;
}

std::size_t same_lattice(const std::vector<ScalingPoint>& points, std::size_t i) {
  for (std::size_t j = 0; j < i; ++j)
    if (points[j].global() == points[i].global()) return j;
  return i;
}

void expect_same_bits(const ScalingKeys& keys, const ScalingPoint& point, const Results& found,
                      const ScalingPoint& other, const Results& expected) {
  const Integers &here = integers_at(found, "/scaling/checksum"),
                 &there = integers_at(expected, "/scaling/checksum");
  for (std::size_t o = 0; o < keys.operators.size(); ++o)
    for (std::size_t s = 0; s < keys.storages.size(); ++s)
      for (std::size_t r = 0; r < keys.right_hand_sides.size(); ++r) {
        const std::size_t k = keys.at(o, s, r);
        if (here.at(k) == there.at(k)) continue;
        throw Error(
            ErrorKind::internal,
            fmt::format("{} in {} with {} right-hand side{} has another result on {} ({}) than on {} "
                        "({}): checksum {:016x}, expected {:016x}",
                        keys.name_of(keys.operators[o]), jobs::name_of(keys.storages[s]),
                        keys.right_hand_sides[r], keys.right_hand_sides[r] == 1 ? "" : "s",
                        to_string(point.grid), point.transport, to_string(other.grid), other.transport,
                        static_cast<std::uint64_t>(here[k]), static_cast<std::uint64_t>(there[k])));
      }
}

Results join_scaling(const ScalingKeys& keys, const std::vector<ScalingPoint>& points,
                     const std::vector<Results>& pieces, const std::vector<MissingPoint>& missing,
                     const Predictor& predictor) {
  Results all = stack(pieces, "point");
  add_efficiencies(all, keys, points);
  add_predictions(all, keys, points, predictor);
  Axes names, not_measured, operators, storages;
  for (const ScalingPoint& point : points) names.push_back(point.name());
  for (const MissingPoint& one : missing)
    not_measured.push_back(fmt::format("{}: {}", one.point.name(), one.reason));
  for (const std::string& op : keys.operators) operators.push_back(keys.name_of(op));
  for (const ScaledStorage& storage : keys.storages) storages.push_back(jobs::name_of(storage));
  all.group("/points", {{"names", names},
                        {"kinds", Axes{std::begin(scaling_kind_names), std::end(scaling_kind_names)}},
                        {"transports", Axes{std::begin(transport_names), std::end(transport_names)}},
                        {"missing", not_measured}});
  all.group("/scaling", {{"operators", operators},
                         {"storages", storages},
                         {"right_hand_sides", wide(keys.right_hand_sides)},
                         {"iterations", std::int64_t{keys.iterations}}});
  if (predictor.knows_machine()) all.group("/model", predictor.attributes());
  return all;
}

}  // namespace plaq::jobs

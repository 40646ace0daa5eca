#include "jobs/scaling/scaling_results.hpp"

#include <fmt/format.h>

#include "comms/transport/transport_choice.hpp"
#include "core/system/error.hpp"
#include "jobs/common/wrap.hpp"
#include "jobs/study/columns.hpp"

namespace plaq::jobs {
namespace {

using Texts = std::vector<std::string>;
using M = const Measured&;

const Column<Measured> columns_of_points[] = {
    {"/scaling/microseconds", "10^-6 s",
     "median time of one application, iteration of a method or sweep, of the slowest rank",
     [](M m) { return m.samples.median; }},
    {"/scaling/microseconds_least", "10^-6 s", "shortest", [](M m) { return m.samples.least; }},
    {"/scaling/microseconds_most", "10^-6 s", "longest", [](M m) { return m.samples.most; }},
    {"/scaling/tflops_per_rank", "10^12 flop/s", "effective flops of a rank over the median time",
     [](M m) { return 1e-12 * m.flops_per_second(); }},
    {"/scaling/exposed_microseconds", "10^-6 s",
     "time that computing waits for faces in one application: that of an exchange times their number",
     [](M m) { return m.exchanges * m.exchange.exposed; }},
    {"/scaling/bytes_sent", "byte", "faces that one rank sends in one application",
     [](M m) { return m.bytes_sent; }},
    {"/scaling/exchanges", "1", "of faces in one application", [](M m) { return m.exchanges; }},
    {"/scaling/difference", "1",
     "relative difference of the result from that in double precision with 18 reals a link; of a method that "
     "of its operator, of gauge fixing that of the functional",
     [](M m) { return m.difference; }},
    {"/scaling/setup_seconds", "s", "setting multigrid up, on the slowest rank; 0: without",
     [](M m) { return m.setup_seconds; }},
    {"/exchange/packing", "10^-6 s", "from the beginning of an exchange until its faces are packed",
     [](M m) { return m.exchange.packing; }},
    {"/exchange/interior", "10^-6 s", "time of the interior kernel beside it",
     [](M m) { return m.exchange.interior; }},
    {"/exchange/arrived", "10^-6 s",
     "from the beginning of an exchange until the faces of the neighbours are there",
     [](M m) { return m.exchange.arrived; }},
    {"/exchange/exposed", "10^-6 s", "from the end of the interior kernel until then, if it is later",
     [](M m) { return m.exchange.exposed; }},
    {"/exchange/boundary", "10^-6 s", "time of the boundary kernel behind it",
     [](M m) { return m.exchange.boundary; }},
    {"/scaling/checksum", "1", "of all bits of the result: the same on any process grid",
     [](M m) { return static_cast<std::int64_t>(m.checksum); }}};

const Texts axes_of_lists = {"operator", "storage", "right_hand_sides"};
std::vector<std::size_t> extents_of(const SubjectLists& lists) {
  return {lists.subjects.size(), lists.storages.size(), lists.right_hand_sides.size()};
}

// What is said of each subject at each point when all are known.
struct Derived {
  double efficiency = 0;
  Prediction prediction;
};
using D = const Derived&;
const Column<Derived> efficiency_columns[] = {
    {"/scaling/efficiency", "1",
     "rate of a rank over that at the point `reference`: of strong scaling n0 T0 / (n T), of weak scaling T0 "
     "/ T",
     [](D d) { return d.efficiency; }}};
const Column<Derived> prediction_columns[] = {
    {"/scaling/predicted_microseconds", "10^-6 s", "time that the model expects",
     [](D d) { return d.prediction.microseconds; }},
    {"/scaling/predicted_exposed_microseconds", "10^-6 s",
     "communication that the model expects not to be hidden",
     [](D d) { return d.prediction.exposed_microseconds; }}};

// Another point that a point refers to.
struct Relation {
  std::int64_t reference = 0, equal = -1;
};
const Column<Relation> relation_columns[] = {
    {"/points/reference", "1", "the point of the same curve that efficiency is against",
     [](const Relation& r) { return r.reference; }},
    {"/points/equal_to", "1", "a point of the same whole lattice whose results had the same bits; -1: none",
     [](const Relation& r) { return r.equal; }}};

}  // namespace

Results results_of_point(const ScalingKeys& keys, const ScalingPoint& point, int nodes,
                         const std::vector<Measured>& found) {
  Results results;
  const auto one = [&](const char* name, std::int64_t value, const char* meaning) {
    results.dataset(std::string("/points/") + name, {}, std::vector<std::int64_t>{value},
                    described({}, "1", meaning));
  };
  const auto four = [&](const char* name, const Extents& values, const char* units, const char* meaning) {
    results.dataset(std::string("/points/") + name, {4}, integers(values),
                    described({"direction"}, units, meaning));
  };
  one("kind", static_cast<std::int64_t>(point.kind), "number in `kinds` of /points");
  one("ranks", point.ranks(), "ranks that took part");
  four("process_grid", point.grid, "1", "ranks in x, y, z, t");
  four("lattice", point.lattice, "sites",
       "of strong scaling the whole lattice, of weak scaling the part of a rank");
  four("extents", point.global(), "sites", "the whole lattice");
  one("transport", static_cast<std::int64_t>(*transport_kind(point.transport)),
      "number in `transports` of /points");
  one("nodes", nodes, "nodes that the ranks were on");
  add_columns<Measured>(results, found, axes_of_lists, extents_of(keys.lists), columns_of_points);
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
  const auto checksums = [](const Results& results) {
    return std::get<std::vector<std::int64_t>>(find_dataset(results, "/scaling/checksum")->values);
  };
  const auto here = checksums(found), there = checksums(expected);
  keys.lists.for_each([&](std::size_t k, const std::string& key, const StudyStorage& storage, int rhs) {
    if (here.at(k) == there.at(k) || !keys.same_bits(key, point, other)) return;
    throw Error(
        ErrorKind::internal,
        fmt::format("{} in {} with {} has another result on {} ({}) than on {} "
                    "({}): checksum {:016x}, expected {:016x}",
                    subject_name(key, keys.parameters), name_of(storage), counted(rhs, "right-hand side"),
                    to_string(point.grid), point.transport, to_string(other.grid), other.transport,
                    static_cast<std::uint64_t>(here[k]), static_cast<std::uint64_t>(there[k])));
  });
}

Results join_scaling(const ScalingKeys& keys, const std::vector<ScalingPoint>& points,
                     const std::vector<Results>& pieces, const std::vector<MissingPoint>& missing,
                     const Predictor& predictor) {
  Results all = stack(pieces, "point");
  const Numbers us(all, "/scaling/microseconds"), nodes(all, "/points/nodes");
  const SubjectLists& lists = keys.lists;
  std::vector<Derived> derived;
  std::vector<Relation> relations;
  Texts point_names, not_measured, operators;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ScalingPoint& point = points[i];
    const std::size_t reference = reference_of(points, i), same = same_lattice(points, i);
    relations.push_back(
        {static_cast<std::int64_t>(reference), same == i ? -1 : static_cast<std::int64_t>(same)});
    point_names.push_back(point.name());
    const double share =
        point.kind == ScalingKind::weak ? 1 : static_cast<double>(points[reference].ranks()) / point.ranks();
    const auto on = static_cast<int>(nodes(i));
    const int ranks_per_node = (point.ranks() + on - 1) / on;
    lists.for_each([&](std::size_t k, const std::string& key, const StudyStorage& storage, int rhs) {
      Derived one{share * us[reference * lists.size() + k] / us[i * lists.size() + k], {}};
      if (predictor.knows_machine())
        one.prediction = predictor.predict(keys, point, ranks_per_node, key, storage, rhs);
      derived.push_back(one);
    });
  }
  Texts axes = axes_of_lists;
  axes.insert(axes.begin(), "point");
  auto extents = extents_of(lists);
  extents.insert(extents.begin(), points.size());
  add_columns<Derived>(all, derived, axes, extents, efficiency_columns);
  add_columns<Relation>(all, relations, {"point"}, {points.size()}, relation_columns);
  if (predictor.knows_machine()) add_columns<Derived>(all, derived, axes, extents, prediction_columns);
  for (const MissingPoint& one : missing) not_measured.push_back(one.text());
  for (const std::string& key : lists.subjects) operators.push_back(subject_name(key, keys.parameters));
  all.group("/points", {{"names", point_names},
                        {"kinds", Texts{std::begin(scaling_kind_names), std::end(scaling_kind_names)}},
                        {"transports", Texts{std::begin(transport_names), std::end(transport_names)}},
                        {"missing", not_measured}});
  all.group("/scaling", {{"operators", operators},
                         {"storages", names_of(lists.storages)},
                         {"right_hand_sides", integers(lists.right_hand_sides)},
                         {"iterations", std::int64_t{keys.iterations}}});
  if (predictor.knows_machine()) all.group("/model", predictor.attributes());
  return all;
}

}  // namespace plaq::jobs

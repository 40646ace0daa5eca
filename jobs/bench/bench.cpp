#include "jobs/bench/bench.hpp"

#include <fmt/format.h>

#include <iterator>

#include "core/field/storages.hpp"
#include "core/system/error.hpp"
#include "gaugefix/sweep/su3_view.hpp"
#include "jobs/rates/random_fields.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq::jobs {

GeometryPtr Bench::geometry_of_ranks(const Extents& local) const {
  Extents global;
  for (std::size_t mu = 0; mu < 4; ++mu) global[mu] = local[mu] * grid().ranks()[mu];
  return grid().geometry(global);
}

std::vector<Precision> Bench::all_precisions() const {
  std::vector<Precision> all;
  for (auto precision = std::rbegin(plaq::all_precisions); precision != std::rend(plaq::all_precisions);
       ++precision)
    if (std::any_of(asked.storages.begin(), asked.storages.end(), [&](const StudyStorage& storage) {
          return !storage.mixed && storage.precision == *precision;
        }))
      all.push_back(*precision);
  return all;
}

std::vector<Precision> Bench::precisions() const {
  auto all = all_precisions();
  std::erase(all, Precision::half_precision);
  if (all.empty()) throw Error(ErrorKind::usage, "this benchmark has nothing in half precision");
  return all;
}

std::vector<StudyStorage> Bench::storages() const {
  auto all = asked.storages;
  std::erase_if(all, [](const StudyStorage& storage) { return storage.mixed; });
  return all;
}

std::vector<StudyStorage> Bench::storages_in_temporal_gauge() const {
  auto all = storages();
  std::erase_if(all, [](const StudyStorage& storage) { return storage.reconstruction == 8; });
  return all;
}

std::vector<StudyStorage> Bench::storages_of_sweeps() const {
  precisions();  // throws where there are none
  auto all = asked.storages;
  std::erase_if(all, [](const StudyStorage& storage) {
    return storage.reconstruction != sweep_reconstruction || storage.precision == Precision::half_precision;
  });
  if (all.empty())
    throw Error(ErrorKind::usage, fmt::format("gauge fixing has links of {} reals", sweep_reconstruction));
  return all;
}

ActionPtr Bench::usual_action() {
  WilsonParameters clover;
  clover.mass = 0.5;  // random links: away from singular blocks
  clover.clover = {1, 1};
  return wilson_action(clover);
}

RateProblem Bench::problem(std::uint64_t seed) const {
  if (gauge_ == nullptr) return {grid(), random_gauge(geometry(), seed), queue(), transport(), asked.samples};
  Field links(geometry(), gauge_spec(Precision::double_precision, Location::host));
  copy(links, *gauge_);
  return {grid(), std::move(links), queue(), transport(), asked.samples};
}

const RateProblem& Bench::shared_problem() {
  if (!problem_) problem_.emplace(problem(11));
  return *problem_;
}

RatedAction& Bench::rated() {
  if (!rated_) rated_ = make_rated_action(shared_problem(), action(), links_);
  return *rated_;
}

Row& Bench::add(const std::string& target, const StudyStorage& storage, int rhs, Row row) {
  row.target = target;
  row.storage = name_of(storage);
  row.right_hand_sides = rhs;
  row.ranks = grid().size();
  if (geometry()) {
    row.lattice = geometry()->global();
    row.process_grid = grid().ranks();
  }
  if (row.flops > 0) row.flops_per_second = row.flops / row.seconds;
  row.memory_limit = row.ranks * memory_limit;
  if (row.bytes > 0) row.share = row.bytes / row.seconds / row.memory_limit;
  return rows.emplace_back(std::move(row));
}

}  // namespace plaq::jobs

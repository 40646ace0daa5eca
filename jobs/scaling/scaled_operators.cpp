#include "jobs/scaling/scaled_operators.hpp"

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/rates/solver_rates.hpp"
#include "jobs/scaling/field_checksum.hpp"
#include "jobs/scaling/scaled_fixing.hpp"
#include "solvers/krylov/make_method.hpp"

namespace plaq::jobs {
namespace {

using Storages = std::vector<ScaledStorage>;

constexpr int usual_samples = 5;  // of a method; each is of many iterations

// What `exchanges` exchanges of the hopping term add to what was timed; an application has `of_apply` of
// them.
void add_exchanges(ScaledTimes& times, const ProcessGrid& grid, RatedApplication& application,
                   double exchanges, int of_apply) {
  times.exchange = exchange_times(grid, application, of_apply);
  const Halo& halo = application.halo();
  if (!halo.exchanges()) return;
  times.exchanges = exchanges;
  times.bytes_sent = exchanges * static_cast<double>(halo.bytes_sent());
}

ScaledTimes look_at(const ProcessGrid& grid, const OperatorRate& rate, RatedApplication& application,
                    int exchanges) {
  ScaledTimes times{rate.samples, rate.work, rate.difference, 0, {}, 0, 0};
  application.apply();
  times.checksum = field_checksum(grid, application.result());
  add_exchanges(times, grid, application, exchanges, exchanges);
  return times;
}

std::vector<ScaledTimes> measure_hop(const PointProblem& p, std::string_view, const Storages& storages,
                                     int rhs) {
  const auto measured = p.action->hop_rates(link_storages(storages), rhs);
  std::vector<ScaledTimes> all;
  for (std::size_t i = 0; i < storages.size(); ++i)
    all.push_back(look_at(p.rates.grid, measured[i], *p.action->hop(storages[i], rhs), 1));
  return all;
}

std::vector<ScaledTimes> measure_schur(const PointProblem& p, std::string_view key, const Storages& storages,
                                       int rhs) {
  const bool symmetric = key == "schur";
  const auto measured = p.action->schur_rates(symmetric, link_storages(storages), rhs);
  std::vector<ScaledTimes> all;
  for (std::size_t i = 0; i < storages.size(); ++i)
    all.push_back(look_at(p.rates.grid, measured[i], *p.action->schur(symmetric, storages[i], rhs), 2));
  return all;
}

// The method in one precision, as it is inside of others.
std::vector<ScaledTimes> measure_method(const PointProblem& p, std::string_view key, const Storages& storages,
                                        int rhs) {
  const ProcessGrid& grid = p.rates.grid;
  const int samples = p.rates.samples > 0 ? p.rates.samples : usual_samples;
  const std::string_view name = key == "cg" && p.action->positive() ? "hermitian-cg" : key;
  std::vector<ScaledTimes> all;
  for (const LinkStorage& storage : storages) {
    const TapeLabel label(jobs::name_of(storage));
    ScaledTimes times;
    times.difference = p.action->schur_rates(true, {storage}, rhs).front().difference;
    const auto schur = p.action->schur(true, storage, rhs);
    const Field b = schur->random(43);
    Field x(b.geometry_ptr(), b.spec());
    const auto method = plaq::make_method(name, schur->schur(), rhs);
    std::vector<double> microseconds;
    SolverRate rate;
    for (int i = 0; i < samples; ++i) {
      rate = solver_rate(grid, *method, b, p.iterations, &x);
      microseconds.push_back(1e6 * rate.seconds / rate.iterations);
    }
    std::sort(microseconds.begin(), microseconds.end());
    times.samples = samples_of(microseconds);
    times.work.flops = rate.flops / rate.iterations / grid.size();
    times.checksum = field_checksum(grid, x);
    const double applications = static_cast<double>(rate.applications) / rate.iterations;
    add_exchanges(times, grid, *schur, 2 * applications, 2);
    all.push_back(times);
  }
  return all;
}

}  // namespace

const std::vector<ScaledOperator>& scaled_operators() {
  static const std::vector<ScaledOperator> all = {{"hop", false, false, measure_hop},
                                                  {"schur", false, false, measure_schur},
                                                  {"schur_asymmetric", false, false, measure_schur},
                                                  {"gauge_fixing", false, true, measure_gauge_fixing},
                                                  {"gauge_fixing_su2", false, true, measure_gauge_fixing},
                                                  {"cg", true, false, measure_method},
                                                  {"cgne", true, false, measure_method},
                                                  {"bicgstab", true, false, measure_method},
                                                  {"gcr", true, false, measure_method},
                                                  {"mr", true, false, measure_method}};
  return all;
}

const ScaledOperator& scaled_operator(std::string_view key) {
  const auto& all = scaled_operators();
  const auto at = std::find_if(all.begin(), all.end(), [&](const auto& op) { return op.key == key; });
  require(at != all.end(), "an operator of a scaling study has no key");
  return *at;
}

std::vector<std::string> scaled_operator_keys(bool iterates) {
  std::vector<std::string> keys;
  for (const ScaledOperator& op : scaled_operators())
    if (op.iterates == iterates) keys.emplace_back(op.key);
  return keys;
}

}  // namespace plaq::jobs

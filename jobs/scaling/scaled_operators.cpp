#include "jobs/scaling/scaled_operators.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/solver_rates.hpp"
#include "jobs/scaling/field_checksum.hpp"
#include "jobs/scaling/scaled_fixing.hpp"
#include "solvers/make_method.hpp"

namespace plaq::jobs {
namespace {

using Form = WilsonSchur::Form;
using Storages = std::vector<ScaledStorage>;

constexpr int usual_samples = 5;  // of a method; each is of many iterations

// What `exchanges` exchanges of the hopping term add to what was timed; `apply` has `of_apply` of them.
void add_exchanges(ScaledTimes& times, const ProcessGrid& grid, WilsonHopping& hop, int rhs, double exchanges,
                   int of_apply, const std::function<void()>& apply) {
  times.exchange = exchange_times(grid, hop, rhs, of_apply, apply);
  Halo& halo = hop.halo(rhs);
  if (!halo.exchanges()) return;
  times.exchanges = exchanges;
  times.bytes_sent = exchanges * static_cast<double>(halo.bytes_sent());
}

std::vector<ScaledTimes> measure_hop(const PointProblem& p, std::string_view, const Storages& storages,
                                     int rhs) {
  const RateProblem& rates = p.rates;
  const GeometryPtr& geometry = rates.gauge.geometry_ptr();
  const Location location = rates.queue.location();
  const auto measured = hop_rates(rates, p.parameters, link_storages(storages), rhs);
  std::vector<ScaledTimes> all;
  for (std::size_t i = 0; i < storages.size(); ++i) {
    ScaledTimes times{measured[i].samples, measured[i].work, measured[i].difference, 0, {}, 0, 0};
    WilsonHopping hop(rates.grid, rates.gauge, p.parameters, storages[i], rates.queue, rates.transport);
    const Precision precision = storages[i].precision;
    const Field in = random_spinor(geometry, Subset::odd, rhs, precision, location, 12);
    Field out(geometry, spinor_spec(Subset::even, rhs, precision, location));
    const auto apply = [&] { hop.apply(out, in, 0, false); };
    apply();
    times.checksum = field_checksum(rates.grid, out);
    add_exchanges(times, rates.grid, hop, rhs, 1, 1, apply);
    all.push_back(times);
  }
  return all;
}

std::vector<ScaledTimes> measure_schur(const PointProblem& p, std::string_view key, const Storages& storages,
                                       int rhs) {
  const RateProblem& rates = p.rates;
  const Form form = key == "schur" ? Form::symmetric : Form::asymmetric;
  const auto measured = schur_rates(rates, p.parameters, form, link_storages(storages), rhs);
  std::vector<ScaledTimes> all;
  for (std::size_t i = 0; i < storages.size(); ++i) {
    ScaledTimes times{measured[i].samples, measured[i].work, measured[i].difference, 0, {}, 0, 0};
    const WilsonHoppingPtr hop = make_schur_hopping(rates, p.parameters, storages[i]);
    WilsonSchur schur = make_schur(rates, hop, form, rhs);
    const Field in = random_spinor(rates.gauge.geometry_ptr(), subset_of(rated_parity), rhs,
                                   storages[i].precision, rates.queue.location(), 42);
    Field out(in.geometry_ptr(), in.spec());
    const auto apply = [&] { schur.apply(out, in); };
    apply();
    times.checksum = field_checksum(rates.grid, out);
    add_exchanges(times, rates.grid, *hop, rhs, 2, 2, apply);
    all.push_back(times);
  }
  return all;
}

// The method in one precision, as it is inside of others.
std::vector<ScaledTimes> measure_method(const PointProblem& p, std::string_view key, const Storages& storages,
                                        int rhs) {
  const RateProblem& rates = p.rates;
  const ProcessGrid& grid = rates.grid;
  const int samples = rates.samples > 0 ? rates.samples : usual_samples;
  std::vector<ScaledTimes> all;
  for (const LinkStorage& storage : storages) {
    ScaledTimes times;
    times.difference = schur_rates(rates, p.parameters, Form::symmetric, {storage}, rhs).front().difference;
    const WilsonHoppingPtr hop = make_schur_hopping(rates, p.parameters, storage);
    WilsonSchur schur = make_schur(rates, hop, Form::symmetric, rhs);
    const Field b = random_spinor(rates.gauge.geometry_ptr(), subset_of(rated_parity), rhs, storage.precision,
                                  rates.queue.location(), 43);
    Field x(b.geometry_ptr(), b.spec());
    const auto method = plaq::make_method(key, schur, rhs);
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
    add_exchanges(times, grid, *hop, rhs, 2 * applications, 2, [&] { schur.apply(x, b); });
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

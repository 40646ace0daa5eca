#include "jobs/hmc/hmc_columns.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

#include "jobs/hmc/hmc_schema.hpp"
#include "settings/hmc/hmc_tables.hpp"

namespace plaq::jobs {

std::string HmcColumns::steps_of(std::size_t scale) { return fmt::format("steps_{}", scale); }
std::string HmcColumns::predicted_delta_h_of(std::size_t scale) {
  return fmt::format("predicted_delta_h_{}", scale);
}

HmcColumns::HmcColumns(const Settings& job) {
  const TermSettings terms = term_settings(job);
  quarks_ = terms.quarks;
  const auto add = [&](const std::string& name) { columns_.push_back({name, "1"}); };
  for (const char* name :
       {"delta_h", "acceptance", "accepted", "iterations", "reversibility_links", "reversibility_energy"})
    add(name);
  const auto on = terms_on_scales(terms).scales;
  if (job.get<HmcKeys>().acceptance)
    for (std::size_t s = 1; s <= on.size(); ++s) {
      add(steps_of(s));
      add(predicted_delta_h_of(s));
    }
  for (const SeaQuarks& quarks : terms.quarks) {
    if (!quarks.has_root()) continue;
    std::vector<std::string> spectra{quarks.name};
    if (quarks.walls()) spectra.push_back(quarks.pauli_villars_name());
    for (const std::string& spectrum : spectra)
      for (const char* number : {"eigenvalue_low_", "eigenvalue_high_", "range_low_", "range_high_"})
        add(number + spectrum);
  }
  if (job.get<MdSolverSettings>().multigrid)
    for (const SeaQuarks& quarks : terms.quarks) add("multigrid_rounds_" + quarks.name);
  for (const SeaQuarks& quarks : terms.quarks)
    if (quarks.staggered() && quarks.staggered()->epsilon) add("filtered_links_" + quarks.name);
  for (const auto& of_scale : on)
    for (const Term& term : of_scale) {
      add("force_rms_" + term.name);
      add("force_largest_" + term.name);
      if (term.has_pseudofermion()) add("iterations_" + term.name);
    }
  seconds_ = {"links", "setups", "metropolis", "reversibility", "checkpoint", "other"};
  for (const auto& of_scale : on)
    for (const Term& term : of_scale) {
      seconds_.push_back("force_" + term.name);
      if (term.has_pseudofermion()) seconds_.push_back("solves_" + term.name);
    }
}

std::vector<double> HmcColumns::numbers(const TrajectoryReport& report, const HmcAction& action) const {
  const double none = std::numeric_limits<double>::quiet_NaN();
  std::map<std::string, double> found{{"delta_h", report.failure.empty() ? report.delta_h : none},
                                      {"acceptance", report.acceptance},
                                      {"accepted", report.accepted ? 1 : 0}};
  for (std::size_t s = 0; s < action.levels.size(); ++s)
    found[steps_of(s + 1)] = action.levels[s].scale.steps;
  for (std::size_t s = 0; s < report.predicted_delta_h.size(); ++s)
    found[predicted_delta_h_of(s + 1)] = report.predicted_delta_h[s];
  if (const auto& back = report.reversibility) {
    found["reversibility_links"] = back->links;
    found["reversibility_energy"] = back->energy;
  }
  for (const auto& [quarks, root] : action.roots) {
    found["eigenvalue_low_" + quarks] = root->measured().low;
    found["eigenvalue_high_" + quarks] = root->measured().high;
    found["range_low_" + quarks] = root->range().low;
    found["range_high_" + quarks] = root->range().high;
  }
  for (const auto& [quarks, quark] : action.quarks) {
    found["multigrid_rounds_" + quarks] += quark->take_setup_rounds();
    found["filtered_links_" + quarks] += static_cast<double>(quark->take_filtered_links());
  }
  std::size_t term = 0;
  for (const MdLevel& level : action.levels)
    for (const MonomialPtr& monomial : level.monomials) {
      const auto iterations = static_cast<double>(report.iterations.at(term++));
      found["iterations"] += iterations;
      found["iterations_" + monomial->name()] = iterations;
    }
  for (const ForceRecord& force : report.forces)
    if (force.count > 0) {
      found["force_rms_" + force.monomial] = std::sqrt(force.mean_square);
      found["force_largest_" + force.monomial] = force.largest;
    }
  std::vector<double> numbers;
  for (const StepColumn& column : columns_) {
    const auto at = found.find(column.name);
    numbers.push_back(at == found.end() ? none : at->second);
  }
  return numbers;
}

std::vector<double> HmcColumns::seconds(const TrajectorySeconds& seconds, const HmcAction& action) const {
  std::vector<std::string> terms;
  for (const MdLevel& level : action.levels)
    for (const MonomialPtr& monomial : level.monomials) terms.push_back(monomial->name());
  const auto named = named_seconds(seconds, terms);
  const std::map<std::string, double> found(named.begin(), named.end());
  std::vector<double> values;
  for (const std::string& name : seconds_) values.push_back(found.at(name));
  return values;
}

double HmcColumns::find(const std::vector<double>& numbers, const std::string& column) const {
  for (std::size_t k = 0; k < columns_.size() && k < numbers.size(); ++k)
    if (columns_[k].name == column) return numbers[k];
  return 0;
}

}  // namespace plaq::jobs

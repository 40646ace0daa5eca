// Terms of the action of an hmc job: their names, and their time scales.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/monomial/inverse_root.hpp"
#include "dynamics/trajectory/molecular_dynamics.hpp"
#include "jobs/hmc/hmc_schema.hpp"

namespace plaq::jobs {

/// Quarks of one mass.
struct SeaQuarks {
  std::string name;  // "quarks", or "quarks_1", "quarks_2", ... of several masses
  WilsonParameters parameters;
  int flavours = 2;
};
std::vector<SeaQuarks> sea_quarks(const Settings& job);

/// A term: the determinant of two flavours or its ratios of twists, a factor of one flavour, the determinant
/// of the clover term, or the gauge action.
struct Term {
  enum class Kind { twisted, rational, determinant, gauge };
  std::string name;  // QUARKS, QUARKS_ratio_1, ..., QUARKS_rational_1, ..., QUARKS_determinant, or gauge
  Kind kind;
  std::size_t quarks = 0;  // which of sea_quarks()
  int number = 0;          // of a ratio, from 1 on, 0: no ratio; of a factor, from 0 on
  int pseudofermion = 0;   // its number in the chain, of a term that has one

  bool has_pseudofermion() const { return kind == Kind::twisted || kind == Kind::rational; }
};
std::vector<Term> terms_of(const Settings& job);

/// Terms on each time scale of [hmc] time_scales, the slowest first. An entry names the terms of that name,
/// and those that have it before an underscore; a term belongs to the longest name of these. Whatever is
/// wrong goes to `problems`; the rules of the job refuse it.
std::vector<std::vector<Term>> terms_on_scales(const Settings& job, Problems& problems);
std::vector<std::vector<Term>> terms_on_scales(const Settings& job);

/// The terms of a job on its lattice.
struct HmcAction {
  std::vector<MdLevel> levels;
  struct Root {
    std::string quarks;  // SeaQuarks::name
    std::shared_ptr<InverseRoot> root;
  };
  std::vector<Root> roots;                           // of quarks with an odd flavour
  std::vector<std::shared_ptr<WilsonQuark>> quarks;  // of sea_quarks()
};
/// Settings of the solves. Multigrid has the tables [solver] and [multigrid].
MdSolverSettings md_solver(const Settings& job);
/// The least order of the integrators.
int least_order(const Settings& job);
HmcAction hmc_action(const Settings& job, const SharedLattice& lattice);

}  // namespace plaq::jobs

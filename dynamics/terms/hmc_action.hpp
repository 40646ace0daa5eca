// The terms of an action on their lattice, made of settings: the one place where monomials are made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/monomial/inverse_root.hpp"
#include "dynamics/quark/hisq_chain.hpp"
#include "dynamics/terms/hmc_terms.hpp"
#include "dynamics/trajectory/molecular_dynamics.hpp"
#include "kernels/site/loop_weights.hpp"
#include "quarks/action/action_smearing.hpp"

namespace plaq {

/// All settings of the trajectories of a chain.
struct HmcSetup {
  TermSettings terms;
  LoopWeights gauge;
  ActionSmearing smearing = {};  ///< of the links of quarks
  InverseRootSettings root = {};
  MdSolverSettings solver = {};
  std::vector<TimeScale> scales;                    ///< one for each of terms_on_scales()
  double length = 1;                                ///< of a trajectory
  double force_filter = HisqSmearer::usual_filter;  ///< of HISQ quarks
};

struct HmcAction {
  std::vector<MdLevel> levels;
  struct Root {
    std::string quarks;  // SeaQuarks::name, or SeaQuarks::pauli_villars_name()
    std::shared_ptr<InverseRoot> root;
  };
  std::vector<Root> roots;  // of quarks with SeaQuarks::has_root()
  struct Quark {
    std::string quarks;  // SeaQuarks::name, also of the heavier masses of their ladder
    std::shared_ptr<SeaQuark> quark;
  };
  std::vector<Quark> quarks;
};

/// Makes the terms. Settings with mistakes are an internal error: settings/hmc finds them.
/// @param own  terms of the user, as many as the names of TermSettings::own
HmcAction hmc_action(const HmcSetup& setup, const SharedLattice& lattice,
                     const std::vector<MonomialPtr>& own = {});

}  // namespace plaq

// What the tables of a propagator job say beside those of jobs/dirac.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "jobs/correlators/correlator_keys.hpp"
#include "jobs/schema/schema.hpp"
#include "kernels/quark/momentum.hpp"
#include "observables/gluon/momentum_cuts.hpp"
#include "observables/quark/three_point.hpp"

namespace plaq::jobs {

// Of many masses: mesons of quarks with the same one, or also of any two.
enum class MassPairs { equal, all };
struct MassPairKeys {
  MassPairs pairs = MassPairs::equal;
};

enum class ResidualMass { none, summed, midpoint };

struct ResidualMassKeys {
  ResidualMass residual_mass = ResidualMass::none;
  std::optional<std::array<int, 2>> plateau;
};
std::vector<Key> residual_mass_keys();
Rule residual_mass_rule();

Insertion insertion_of(const std::string& word);

struct ThreePointKeys {
  std::vector<std::string> insertions;
  int sink_time = 0;  // 0: not given
  bool smeared_sink = false;

  explicit operator bool() const { return !insertions.empty(); }
};

// True if an insertion is into the proton.
bool has_nucleon(const ThreePointKeys& keys);

// The propagator in momentum space; none without max_n.
struct QuarkPropagatorKeys {
  std::optional<int> max_n;
  MomentumCuts cuts;
  double max_theta = 1e-10;
};

enum class SavedPropagators { none, hdf5, scidac };

struct PropagatorFileKeys {
  SavedPropagators propagators = SavedPropagators::none;
  std::string propagator_directory = ".";
};

/// The schema of propagator jobs.
const Schema& propagator_schema();

}  // namespace plaq::jobs

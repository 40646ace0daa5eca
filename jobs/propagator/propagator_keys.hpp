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

enum class SourceType { point, wall, corner_wall, momentum, gaussian, box, z2, z4, file };
inline constexpr std::string_view source_type_names[] = {
    "point", "wall", "corner_wall", "momentum", "gaussian", "box", "z2", "z4", "file"};

// Where the time slice of a source from a file is from, from which correlators count.
enum class SourceSlice { position, file };

struct SourceKeys {
  SourceType type = SourceType::point;
  Extents position{}, shift{};
  int count = 1;
  Momentum momentum{};
  std::optional<std::int64_t> seed;
  std::optional<double> width;                    // of a Gaussian
  std::optional<std::array<int, 3>> size;         // of a box
  int stride = 1;                                 // of both: 2 takes every second site in x, y, z
  std::optional<std::vector<std::string>> files;  // one for each source
  SourceSlice slice = SourceSlice::position;

  int sources() const { return files ? static_cast<int>(files->size()) : count; }
  bool is_noise() const { return type == SourceType::z2 || type == SourceType::z4; }
  std::string type_name() const { return std::string(source_type_names[static_cast<std::size_t>(type)]); }
};

/// [source], with its keys' own limits.
Table source_table();

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

}  // namespace plaq::jobs

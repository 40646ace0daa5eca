// Tables of observables of quarks: [noise] and [dilution] of quark loops, [quark_propagator] and
// [three_point].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "observables/quark/quark_loop_settings.hpp"
#include "observables/quark/quark_propagator_settings.hpp"
#include "observables/quark/three_point_settings.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

/// Noise of jobs, whose gauge fields have numbers.
struct LoopNoiseOfFields {
  bool by_trajectory = false;
};

// LoopNoise and NoiseDilution (observables/quark/quark_loop_settings.hpp). `of_fields`: with the key of
// LoopNoiseOfFields.
Table loop_noise_table(bool of_fields = false);
Table loop_dilution_table();

/// The quark propagator in momentum space: the key max_n, without which there is no propagator in momentum
/// space. The others are QuarkPropagatorSettings.
struct QuarkPropagatorKeys {
  std::optional<int> max_n;
};

Table quark_propagator_table();
/// All keys together. `max_n` must be there.
QuarkPropagatorSettings quark_propagator_settings(const Settings& settings);

/// Links of derivatives and Wilson lines: those of the action, smeared as [action_smearing] says, or of the
/// gauge field.
enum class OperatorLinks { action, gauge };

// The table [three_point] of three-point functions (observables/quark/three_point_settings.hpp).
struct ThreePointKeys {
  std::vector<std::string> insertions;
  int sink_time = 0;            // 0: not given
  std::vector<int> sink_times;  // several in its place
  Momentum sink_momentum{};
  bool smeared_sink = false;
  bool conserved = false;
  std::vector<std::string> derivatives;
  std::vector<std::string> line_directions;  // out of x, y, z, t
  int line_length = 0;
  OperatorLinks operator_links = OperatorLinks::action;

  explicit operator bool() const { return !insertions.empty(); }
  /// Insertions and sinks as keys say them; the current is at momentum 0.
  ThreePointSettings settings() const;
  /// True if an insertion is into the proton.
  bool has_nucleon() const;
};

Table three_point_table();

}  // namespace plaq::settings

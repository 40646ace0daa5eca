// What the table [action] of a job says.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "jobs/dirac/action_parameters.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/field.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

enum class ActionType { wilson, clover, staggered, asqtad, domain_wall };
inline constexpr std::string_view action_type_names[] = {"wilson", "clover", "staggered", "asqtad",
                                                         "domain_wall"};
enum class MassConvention { milc, doubled };
inline constexpr std::string_view mass_convention_names[] = {"milc", "doubled"};
inline constexpr std::string_view wall_kind_names[] = {"shamir", "borici", "moebius", "optimal"};

// What is not of the job's discretisation is absent, and so are the keys that a job type does not have.
struct ActionKeys {
  ActionType type = ActionType::wilson;
  std::optional<double> mass, kappa;                  // a job has one mass,
  std::optional<std::vector<double>> masses, kappas;  // or many
  std::optional<double> c_sw, c_r, c_t;
  double xi = 1, nu = 1;
  std::optional<MassConvention> mass_convention;
  std::optional<double> u0;
  std::optional<WallKind> variant;
  std::optional<int> n_s;
  std::optional<double> m0, b5, c5;
  std::optional<std::array<double, 2>> bounds;
  std::array<int, 4> boundary{1, 1, 1, -1};

  int slices() const { return n_s.value_or(1); }
};

// Which quarks a type means.
enum class QuarkKind { wilson, staggered, domain_wall };
QuarkKind quark_kind(ActionType type);
QuarkKind quark_kind(const JobFile& job);

// Of a job with one mass; of one with many, in the order of the job. Masses of staggered quarks are MILC's.
ActionParameters action_parameters(const JobFile& job);
std::vector<ActionParameters> actions_of_masses(const ActionKeys& keys);
// Of a job that has Wilson and clover quarks alone.
WilsonParameters wilson_parameters(const JobFile& job);

// For results. `mass` and `kappa`, or `masses` and `kappas`, as the job has them.
Attributes action_attributes(const JobFile& job);
// What the action needs of a rank in every direction that is split (comms/grid/grid_choice.hpp).
int least_slices(const JobFile& job);
// The sources of a propagator: 3 * spin + color, or color.
int columns_of(const ActionParameters& parameters);

}  // namespace plaq::jobs

// Symplectic integrators of molecular dynamics with nested time scales (Sexton, Weingarten, Nucl. Phys. B 380
// (1992) 665) as a list of kicks and drifts. Every list reads the same from its end, so that the same list
// with reversed momenta leads back.
#pragma once

#include <string>
#include <vector>

namespace plaq {

/// A step of length e, kicks first, in fractions of e:
///   leapfrog        1/2, 1, 1/2
///   omelyan2        l, 1/2, 1 - 2 l, 1/2, l             (Omelyan, Mryglod, Folk, Comput. Phys. Commun. 151
///   omelyan4        five kicks and drifts, order 4       (2003) 272, eqs. (31), (71))
///   force_gradient  1/6, 1/2, 2/3, 1/2, 1/6, order 4, where the force in the middle is that of the links
///                   exp(-(e^2/24) F) U                  (Yin, Mawhinney, arXiv:1111.5059)
enum class Integrator { leapfrog, omelyan2, omelyan4, force_gradient };
/// lambda with the least error where |F|^2 and P dF count alike.
constexpr double omelyan_lambda = 0.1931833275037836;

/// Name in job files.
std::string name_of(Integrator integrator);
/// 2 or 4: dH falls with this power of the step.
int order_of(Integrator integrator);

/// One time scale. The outermost level makes `steps` steps in a trajectory, each further one in every drift
/// of the level before it.
struct TimeScale {
  Integrator integrator = Integrator::omelyan2;  ///< integrator of its steps
  int steps = 1;                                 ///< number of steps
  double lambda = omelyan_lambda;                ///< parameter of omelyan2
};

/// One update of links or momenta.
struct MdUpdate {
  /// Kind of update.
  enum class Kind { drift, kick, gradient_kick };
  Kind kind;            ///< kind of update
  int level;            ///< time scale of the force
  double step;          ///< U <- exp(step P) U, or P <- P - step F
  double gradient = 0;  ///< gradient_kick: F of exp(-gradient F) U
  double later = 0;     ///< kick: the part of step that belongs to what follows
};

/// Lengths of the drifts of a step, in fractions of it.
std::vector<double> drift_fractions(const TimeScale& scale);

/// The updates of a trajectory of this length. Kicks of a level between two drifts are one. Throws
/// Error(job_file) unless there is a level, the steps are positive, fewer than 2^31 updates in all, and the
/// length and lambda are finite.
std::vector<MdUpdate> md_updates(const std::vector<TimeScale>& levels, double length);

/// Number of forces of a level that a list of updates computes.
int count_forces(const std::vector<MdUpdate>& updates, int level);

}  // namespace plaq

// HISQ links of a chain (kernels/gauge/hisq_links.hpp), and the chain rule for forces on them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "core/field/version_of.hpp"
#include "kernels/gauge/hisq_smearer.hpp"

namespace plaq {

/// Fat links F and three-link products N of the links U of a chain, and the force on U that follows from
/// gradients on F and N. Quarks that share this object have their links made once after each change of U.
/// Quarks differ in epsilon alone: F has its coefficient 1 + epsilon/8, and N is the same for all of them,
/// since -(1 + epsilon)/24 is a coefficient of the operator (hisq_coefficients()).
///
/// A force: begin_force(); quarks add to fat_gradient() and naik_gradient(); finish_force().
class HisqChain {
 public:
  /// Depth of the halo that U must have, at least.
  static constexpr int halo_depth = HisqSmearer::halo_depth;

  /// Makes nothing before update().
  /// @param epsilons  of the quarks; a value may be there several times
  /// @param filter    of the force: HisqSmearer has its meaning; 0: none
  HisqChain(const SharedLattice& lattice, std::vector<double> epsilons,
            double filter = HisqSmearer::usual_filter);

  /// Takes these links, in double precision on an extended geometry with a filled halo. Does nothing where
  /// they are those of the last call. Collective.
  void update(const Field& links);

  /// F of the links of update(), of fat_link_spec() in double precision, on the lattice without halo.
  const Field& fat(double epsilon) const;
  /// N of the links of update(), of gauge_spec() in double precision, on the lattice without halo.
  const Field& naik() const;

  /// Begins a force on the links of update(): all gradients are 0. Queued.
  void begin_force();
  /// Sigma of F or N, with dS = Re sum over links of tr(dF Sigma), which quarks add to: any 3x3 matrices, of
  /// fat_link_spec() in double precision, on the geometry of the links; owned sites count. Coefficients of
  /// the operator, phases and boundary signs are part of them. finish_force() overwrites them.
  Field& fat_gradient(double epsilon);
  Field& naik_gradient();
  /// Adds the force on `links`, which are those of update(), to `force`: F <- F - TA(U Sigma_U)/2.
  /// Collective.
  void finish_force(Field& force, const Field& links);

  /// Links that the filter acted on, summed over ranks and over forces since the last call. Collective.
  std::int64_t take_filtered();

 private:
  HisqSmearer& made() const;
  std::size_t number_of(double epsilon) const;

  SharedLattice lattice_;
  std::vector<double> epsilons_;  // different ones, in increasing order
  double filter_;
  GeometryPtr geometry_;  // of the links
  std::unique_ptr<HisqSmearer> smearer_;
  VersionOf links_version_;
};

}  // namespace plaq

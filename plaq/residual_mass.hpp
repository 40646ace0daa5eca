// The residual mass of domain-wall quarks.
#pragma once

#include "observables/quark/residual_mass_settings.hpp"
#include "plaq/dirac_solver.hpp"
#include "plaq/spinor_field.hpp"

namespace plaq {

/// Residual masses, and the propagator that they were measured on.
struct ResidualMass {
  ResidualMassMeasurement masses;  ///< residual and bare PCAC masses
  Propagator quark;                ///< the propagator before any smearing at its sink
};

/// Solves for the propagator of a source and measures the residual mass and the bare PCAC mass of the local
/// axial current of domain-wall quarks (Furman, Shamir, Nucl. Phys. B 439 (1995) 54;
/// kernels/quark/residual_mass.hpp has the formulas). All correlators have point sinks and momentum 0.
/// Throws Error(usage) if the action has no residual mass or no midpoint, or if the plateau is not on the
/// lattice, and Error(not_converged).
ResidualMass residual_mass(DiracSolver& solver, const SourcePtr& source,
                           const ResidualMassSettings& settings = {});
/// Residual mass as above of a source that is given as a field of 12 columns, whose note has its position.
ResidualMass residual_mass(DiracSolver& solver, const SpinorField& source,
                           const ResidualMassSettings& settings = {});

}  // namespace plaq

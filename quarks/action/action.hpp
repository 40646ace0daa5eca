// Actions of quarks as plain parameters, before there is a gauge field: what
// each discretisation says of itself.
#pragma once

#include <array>
#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "comms/grid/grid_choice.hpp"
#include "comms/start/shared_lattice.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "io/vectors/operator_entries.hpp"
#include "quarks/action/action_smearing.hpp"

namespace plaq {

/// The links that a Dirac operator is made on, and where and how it runs. The grid must outlive operators on
/// these links.
struct FermionLinks {
  const ProcessGrid* grid;
  Field gauge;  // without halo, 18 reals
  Queue queue;
  std::shared_ptr<Transport> transport;
  Field clover_links =
      {};  // like `gauge`; without a field the clover term is made of `gauge`. Must not change

  const Field& links_of_clover() const { return clover_links ? clover_links : gauge; }
};

/// Links of a Dirac operator, in copies without halo. Collective.
/// @param gauge  links as smear_links() takes them; smeared themselves if `smearing` smears
FermionLinks fermion_links(const SharedLattice& lattice, Field& gauge, const ActionSmearing& smearing = {});

class Action;
class CloverField;
class DiracMatrix;
using ActionPtr = std::shared_ptr<const Action>;

/// The smallest and the largest of |H_w|, the Hermitian Wilson operator of domain walls.
using SpectralBounds = std::pair<double, double>;

/// Entry of an operator on these links, in files, beside those of Action::description(); none without links
/// of the clover term. Collective.
std::optional<HeaderEntry> clover_links_entry(const FermionLinks& links);

/// The quark propagator on unit links at a momentum p of the action's boundary conditions, S(p) = -i k-slash
/// vector + scalar, without sums over color and position.
struct FreeQuark {
  std::array<double, 4> k{};  // sin p_mu; in space of anisotropic lattices times nu/xi
  double vector = 0, scalar = 0;
  double k_squared() const { return k[0] * k[0] + k[1] * k[1] + k[2] * k[2] + k[3] * k[3]; }
};
/// Stands for |k| = 0: a function that is odd in |k| is there its derivative times
/// this number, without cancellation.
constexpr double tiny_momentum = 1e-100;
/// The free quark of S as a function of i|k|, which i k-slash behaves as.
FreeQuark free_quark_of(const std::array<double, 4>& k,
                        const std::function<std::complex<double>(std::complex<double>)>& propagator);

class Action {
 public:
  virtual ~Action() = default;
  virtual double mass() const = 0;
  /// Sign of quarks around the lattice in x, y, z, t.
  virtual std::array<int, 4> boundary() const = 0;
  /// Name of its even-odd operator in tables; hop_name() is that of its hopping term.
  virtual std::string name() const = 0;
  virtual std::string hop_name() const { return name(); }

  /// All that tells its operators on a gauge field from others: type, mass,
  /// ... Spectral bounds must be known.
  virtual std::vector<HeaderEntry> description() const = 0;

  /// Spins of a quark field: 4, or 1 for staggered quarks.
  virtual int spins() const { return 4; }
  /// Extent of the fifth dimension; 1 in four dimensions.
  virtual int Ls() const { return 1; }
  /// True if quark fields are other fields than the solutions x: those on the walls of the fifth dimension,
  /// also where it has one slice.
  virtual bool has_walls() const { return false; }
  /// Columns of a propagator, 3 * spin + color.
  int columns() const { return 3 * spins(); }
  /// Fields x and b of M x = b, and quark fields in four dimensions: double precision, both parities.
  FieldSpec full_spec(int batch, Location location) const;
  FieldSpec quark_spec(int batch, Location location) const;

  /// Fewest local sites in a direction that is split (comms/grid/grid_choice.hpp).
  virtual int least_slices() const { return usual_least_slices; }
  /// True if gamma5 M^dagger gamma5 = M, so that gamma5 G^dagger gamma5 is a propagator of the same flavour.
  /// With a twisted mass mu it is that of the other flavour, -mu.
  virtual bool gamma5_hermitian() const { return true; }
  /// True if the even-odd operator has an asymmetric form.
  virtual bool has_asymmetric_form() const { return false; }
  /// Why multigrid, which makes coarse operators of hops, cannot be set up. Empty: it can.
  virtual std::string no_multigrid() const;
  bool has_multigrid() const { return no_multigrid().empty(); }
  /// True if the action smears the links that it is given.
  virtual bool smears_links() const { return false; }
  /// True if links may be stored as 12 or 8 reals, which needs links in SU(3).
  virtual bool has_compressed_links() const { return true; }
  /// True if inner operators may be made in temporal gauge.
  virtual bool has_temporal_gauge() const { return false; }
  /// True if even-odd operators are Hermitian and positive, so that cg needs no normal equations.
  virtual bool positive() const { return false; }
  /// True if even-odd operators at two masses differ by the number m'^2 - m^2 (StaggeredSchur).
  virtual bool shifts_with_mass() const { return false; }
  /// The symmetry of the hopping term that is checked before it is timed.
  virtual std::string hop_symmetry() const { return "hermiticity"; }
  /// Rounding of an even-odd operator, in units of that of one hopping term.
  virtual double schur_rounding() const { return 3; }

  /// The free quark at any p, also where k = 0; none if it is not known.
  virtual std::optional<FreeQuark> free_quark(const std::array<double, 4>&) const { return std::nullopt; }

  virtual std::string default_channel() const { return "pion"; }
  /// Why a residual mass cannot be measured, and why not in the middle of the fifth dimension. Empty: it can.
  virtual std::string no_residual_mass() const { return "needs domain-wall quarks"; }
  virtual std::string no_midpoint() const { return {}; }

  /// True if weights need spectral bounds, which are measured on each gauge field.
  virtual bool needs_bounds() const { return false; }
  /// Measures these bounds. Collective. Throws Error(not_converged).
  virtual SpectralBounds measure_bounds(const FermionLinks& links) const;
  /// Action with these bounds.
  virtual ActionPtr within(const SpectralBounds& bounds) const;

  /// Logs how good the action is where its numbers alone do not show it. Spectral bounds must be known.
  virtual void tell() const {}

  /// The clover field of these links; null without a clover term. Collective.
  virtual std::shared_ptr<CloverField> clover_field(const FermionLinks&) const { return nullptr; }
  /// The Dirac matrix on these links. Collective.
  /// @param clover  the clover_field() of these links if it is at hand, else null
  virtual std::unique_ptr<DiracMatrix> on(const FermionLinks& links,
                                          std::shared_ptr<CloverField> clover = nullptr) const = 0;
};

/// An action with these parameters.
template <class Parameters>
class ActionOf : public Action {
 public:
  explicit ActionOf(const Parameters& parameters) : parameters_(parameters) {}
  const Parameters& parameters() const { return parameters_; }

 protected:
  Parameters parameters_;
};

/// Parameters of an action; null if it has parameters of another type.
template <class Parameters>
const Parameters* parameters_of(const Action& action) {
  const auto* same = dynamic_cast<const ActionOf<Parameters>*>(&action);
  return same == nullptr ? nullptr : &same->parameters();
}

}  // namespace plaq

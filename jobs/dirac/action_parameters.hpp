// A Dirac matrix M in numbers, before there is a gauge field: what each discretisation says of it.
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
#include "comms/transport/transport.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "io/gauge/gauge_file_info.hpp"

namespace plaq {
class CloverField;
class ProcessGrid;
}  // namespace plaq

namespace plaq::jobs {

class Action;
class DiracMatrix;
using ActionParameters = std::shared_ptr<const Action>;

// A gauge field, and where and how operators on it run. The grid must outlive them.
struct Background {
  const ProcessGrid* grid;
  Field gauge;  // without halo, 18 reals
  Queue queue;
  std::shared_ptr<Transport> transport;
  Field clover_links = {};  // as `gauge`; none: the clover term is of `gauge`, too. Must not change

  const Field& links_of_clover() const { return clover_links ? clover_links : gauge; }
};

// The smallest and the largest of |H_w|.
using SpectralBounds = std::pair<double, double>;

// Entry of files that are of an operator with clover_links: their checksum.
inline constexpr const char* clover_links_key = "clover_links";

// Entries of Action::description().
HeaderEntry number_entry(const std::string& key, double value);
HeaderEntry numbers_entry(const std::string& key, const std::vector<double>& values);
HeaderEntry boundary_entry(const std::array<int, 4>& signs);

// The quark propagator on unit links at a momentum p of the action's boundary conditions: S(p) = -i k-slash vector +
// scalar, sums over all of color and position left out.
struct FreeQuark {
  std::array<double, 4> k{};  // sin p_mu, times nu/xi in space of anisotropic lattices
  double vector = 0, scalar = 0;
  double k_squared() const { return k[0] * k[0] + k[1] * k[1] + k[2] * k[2] + k[3] * k[3]; }
};
// In place of |k| = 0: what is odd in |k| is there its derivative times this, without cancellation.
constexpr double tiny_momentum = 1e-100;
// Of S as a function of i|k| in place of i k-slash, which it behaves as.
FreeQuark free_quark_of(const std::array<double, 4>& k,
                        const std::function<std::complex<double>(std::complex<double>)>& propagator);

class Action {
 public:
  virtual ~Action() = default;
  virtual double mass() const = 0;
  // What tables call its even-odd operator and its hopping term.
  virtual std::string name() const = 0;
  virtual std::string hop_name() const { return name(); }

  // All that tells its operators on a gauge field from others: type, mass, ... Numbers come back from their texts to the
  // bit. Bounds must be there.
  virtual std::vector<HeaderEntry> description() const = 0;

  // Of a quark field: 4, or 1 of staggered quarks.
  virtual int spins() const { return 4; }
  virtual int slices() const { return 1; }     // N_s; 1 in four dimensions
  int columns() const { return 3 * spins(); }  // of a propagator: 3 * spin + color
  // Of x and b of M x = b, and of quark fields in four dimensions: double precision, both parities.
  FieldSpec full_spec(int batch, Location location) const;
  FieldSpec quark_spec(int batch, Location location) const;

  // What it needs of a rank in every direction that is split (comms/grid/grid_choice.hpp).
  virtual int least_slices() const { return usual_least_slices; }
  virtual bool has_asymmetric_form() const { return false; }  // of its even-odd operator
  // Whether operators come apart into hops between neighbours of two chiralities, of which multigrid makes coarse ones.
  virtual bool has_multigrid() const { return false; }
  // Whether it makes smeared links of its own of those that it is on.
  virtual bool smears_links() const { return false; }
  // Whether links may be stored as 12 or 8 reals, which are of SU(3).
  virtual bool has_compressed_links() const { return true; }
  // Whether inner operators are made in temporal gauge where they can be.
  virtual bool has_temporal_gauge() const { return false; }
  // Whether even-odd operators are Hermitian and positive, so that cg needs no normal equations.
  virtual bool positive() const { return false; }
  // Whether even-odd operators at two masses differ by a number, m'^2 - m^2 (StaggeredSchur).
  virtual bool shifts_with_mass() const { return false; }
  // What symmetry of the hopping term is checked before it is timed.
  virtual std::string hop_symmetry() const { return "hermiticity"; }
  // Rounding of an even-odd operator, in that of one hopping term.
  virtual double schur_rounding() const { return 3; }

  // Of spinors; nothing where it is not known. At any p, also where k = 0.
  virtual std::optional<FreeQuark> free_quark(const std::array<double, 4>&) const { return std::nullopt; }

  virtual std::string default_channel() const { return "pion"; }
  // What keeps a residual mass from being measured, and from being so in the middle of the fifth dimension; empty:
  // nothing.
  virtual std::string no_residual_mass() const {
    return "is of domain-wall quarks; for them type = \"domain_wall\" in [action]";
  }
  virtual std::string no_midpoint() const { return {}; }

  // Whether weights wait for spectral bounds, which are measured on each gauge field; the same with bounds.
  // Measuring is collective, and throws Error(not_converged).
  virtual bool needs_bounds() const { return false; }
  virtual SpectralBounds measure_bounds(const Background& links) const;
  virtual ActionParameters within(const SpectralBounds& bounds) const;

  // Logs how good it is, where numbers alone do not say it. Bounds must be there.
  virtual void tell() const {}

  // Collective. The clover field of that gauge field; null without a clover term.
  virtual std::shared_ptr<CloverField> clover_field(const Background&) const { return nullptr; }
  // Collective. `clover`: the clover_field() of these links, where it is at hand, else null.
  virtual std::unique_ptr<DiracMatrix> on(const Background& links,
                                          std::shared_ptr<CloverField> clover = nullptr) const = 0;
};

// An action that is made of such numbers.
template <class Parameters>
class ActionOf : public Action {
 public:
  explicit ActionOf(const Parameters& parameters) : parameters_(parameters) {}
  const Parameters& parameters() const { return parameters_; }

 protected:
  Parameters parameters_;
};

// Null where it is made of others.
template <class Parameters>
const Parameters* parameters_of(const Action& action) {
  const auto* same = dynamic_cast<const ActionOf<Parameters>*>(&action);
  return same == nullptr ? nullptr : &same->parameters();
}

}  // namespace plaq::jobs

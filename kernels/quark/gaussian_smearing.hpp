// Gauge-covariant Gaussian (Wuppertal) smearing of quark fields: Guesken, Nucl. Phys. B (Proc. Suppl.)
// 17 (1990) 361.
//   psi <- psi + (sigma^2 / (4 N)) Lap psi,  N times, with the covariant Laplacian in space
//   (Lap psi)(x) = sum_i [ U_i(x) psi(x+i) + U_i(x-i)^dagger psi(x-i) - 2 psi(x) ],
// where hops over the edge of the lattice have the boundary sign of the quarks. With a momentum n (Bali et
// al., Phys. Rev. D 93 (2016) 094515) the links have the phases exp(-i k_j), k_j = 2 pi n_j / L_j: on unit
// links quarks exp(i k x) are kept. k is minus that of the paper, whose links have exp(i k_j).
// For large N it tends to exp(sigma^2 Lap / 4): on unit links, exp(-r^2 / sigma^2) for a point.
#pragma once

#include <map>
#include <memory>

#include "comms/halo/halo.hpp"
#include "comms/halo/schedule.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/field.hpp"
#include "kernels/dirac/hop/hop_launch.hpp"
#include "kernels/quark/gaussian_smearing_parameters.hpp"

namespace plaq {

// The arguments of a launch of the covariant Laplacian (kernels/dirac/hop/hop_launch.hpp): out = a in + b
// (its six hops of in) on the sites of `parity`; `in` has both parities, and is `add` too. On faces of both
// parities, right-hand side + right-hand sides * parity.
struct LaplacianCall : HopCall {
  const Field* links = nullptr;  // of 18 reals
};

class QuarkSmearing {
 public:
  virtual ~QuarkSmearing() = default;
  // In place: a source, or the sink of a propagator. Collective; the same bits on
  // any process grid and in any batch.
  virtual void apply(Field& quarks) = 0;
};

// Smearing of spinors; that of staggered quarks is in kernels/quark/staggered_smearing.hpp.
class GaussianSmearing final : public QuarkSmearing {
 public:
  // `gauge`: the links U, smeared or not, without halo, any precision and location; they are copied and
  // converted. The grid must outlive this object. Throws Error(job_file) for impossible parameters.
  GaussianSmearing(const ProcessGrid& grid, const Field& gauge, const GaussianSmearingParameters& parameters,
                   Precision precision, const Queue& queue, std::shared_ptr<Transport> transport);

  const GaussianSmearingParameters& parameters() const { return parameters_; }

  // Faces that travel for so many subfields. Beside them and the links there is one more field like psi.
  static HaloSpec halo_spec(int subfields, Precision precision, Location location) {
    constexpr std::uint32_t space = 0x7;
    return {24, 2 * subfields, precision, location, space};
  }

  // In place, on a spinor field of both parities with any number of subfields, in this object's precision and
  // at its location: a source, or the sink of a propagator. Queued, collective; the same bits on any process
  // grid and in any batch.
  void apply(Field& psi) override;

 private:
  // Memory for a number of subfields; made at its first use.
  struct Batch {
    std::unique_ptr<Halo> halo;
    Field other;
  };
  Batch& batch(int subfields);
  void step(Field& out, const Field& in, Halo& halo);

  const ProcessGrid* grid_;
  GaussianSmearingParameters parameters_;
  Field links_;
  std::shared_ptr<Transport> transport_;
  Schedule schedule_;
  std::map<int, Batch> batches_;
};

}  // namespace plaq

// Forces of Wilson and clover quarks on links in double precision. A term of the action whose variation is
//   dS = -2 Re sum_i k_i Y_i^dagger dM X_i  -  n_f sum over sites of one parity of tr(C^-1 dC),
// with spinor fields X_i, Y_i on all sites that do not depend on the links, M and C of
// kernels/dirac/wilson/wilson_parameters.hpp, has the force F = -TA(N)/2 of
// kernels/dirac/force/wilson_pairs.hpp and clover_force.hpp: dS/de = 2 sum of -tr(F T) under U -> exp(e T) U.
#pragma once

#include <memory>
#include <optional>

#include "kernels/dirac/clover/clover_field.hpp"
#include "kernels/dirac/force/pairs_on_links.hpp"
#include "kernels/dirac/wilson/wilson_parameters.hpp"

namespace plaq {

class WilsonForce {
 public:
  // `geometry`: of the links, extended by at least 1 where directions are split. The grid must outlive this
  // object. Pairs are collected, and `batch` of them (1 to 16) are read in one pass over the links.
  WilsonForce(const ProcessGrid& grid, GeometryPtr geometry, const WilsonParameters& parameters,
              const Queue& queue, std::shared_ptr<Transport> transport, int batch = 1);

  int batch() const { return pairs_.batch(); }

  // Begins a force: sets it to 0.
  void begin(Field& force);
  // Pairs that follow are those of exponential clover quarks of this diagonal d. `exponent`: A/d of the links
  // of the clover term, as the term of a CloverField of diagonal 0; it must outlive finish_hops(). No pair
  // may wait for finish_hops().
  void take_exponent(const Field& exponent, double diagonal);
  // Adds the term -2 k Re Y^dagger dM X, for each pair of a batch. x and y: both parities, 4 x 3 complex
  // numbers in double precision, without halo; they may change afterwards. `links` have a filled halo.
  // `clover_x`, for a single pair, takes the place of x in the variation of the clover term. Collective.
  void add_pair(Field& force, const Field& links, const Field& x, const Field& y, double k,
                const Field* clover_x = nullptr);
  // Adds -flavours ln det C of the sites of a parity, or -flavours ln |det(C + i mu gamma5)|; `clover` is of
  // these links.
  void add_determinant(CloverField& clover, int parity, double flavours);
  // Completes the force of hops: pairs that were collected. Collective.
  void finish_hops(Field& force, const Field& links) { finish_pairs(force, links, nullptr); }
  // Adds the force of the clover term of all terms, whose links may be others. Collective.
  void add_clover(Field& force, const Field& links);
  // Both, which completes the force.
  void finish(Field& force, const Field& links) {
    finish_hops(force, links);
    add_clover(force, links);
  }

 private:
  // `clover_x`: of the last pair.
  void finish_pairs(Field& force, const Field& links, const Field* clover_x);

  const ProcessGrid* grid_;
  WilsonParameters parameters_;
  Queue queue_;
  PairsOnLinks pairs_;  // x and y
  Field z_;             // with a clover term
  Field blocks_;        // of exponential clover quarks: W
  const Field* exponent_ = nullptr;
  double diagonal_ = 0;  // that belongs to it
  std::optional<ExtendedHalo> z_halo_;
};

}  // namespace plaq

// Quenched gauge fields of the Wilson action, S = -beta/3 sum Re tr P.
#pragma once

#include <cstdint>
#include <memory>

#include "plaq/gauge_field.hpp"

namespace plaq {

/// Settings of a Markov chain.
struct HeatbathSettings {
  double beta = 6.0;                     ///< 6/g0^2
  std::uint64_t seed = 1;                ///< seed of the random numbers
  int heatbath = 1, overrelaxation = 4;  ///< sweeps of each kind in a compound sweep
  int reunitarize_every = 10;            ///< compound sweeps between two projections of links to SU(3)
};

/// A Markov chain of pseudo-heatbath in SU(2) subgroups (Cabibbo, Marinari 1982) and overrelaxation. The bits
/// are those of generate jobs, on any process grid.
class HeatbathChain {
 public:
  /// Starts from `gauge`, which has had `sweeps` compound sweeps of this chain: random numbers
  /// belong to the number of a sweep.
  HeatbathChain(const GaugeField& gauge, const HeatbathSettings& settings, std::int64_t sweeps = 0);
  ~HeatbathChain();
  HeatbathChain(HeatbathChain&&) noexcept;

  /// Does compound sweeps: heatbath, then overrelaxation.
  void update(int sweeps = 1);
  /// Copy of the field.
  GaugeField gauge() const;
  std::int64_t sweeps() const;     ///< compound sweeps that the field has had
  const Lattice& lattice() const;  ///< lattice of the field

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace plaq

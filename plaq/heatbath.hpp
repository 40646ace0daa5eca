// Quenched gauge fields of the Wilson action, S = -beta/3 sum Re tr P, and of improved ones.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "plaq/gauge_field.hpp"

namespace plaq {

/// Settings of a Markov chain.
struct HeatbathSettings {
  double beta = 6.0;                     ///< 6/g0^2, and 10/g0^2 of luscher_weisz
  std::uint64_t seed = 1;                ///< seed of the random numbers
  int heatbath = 1, overrelaxation = 4;  ///< sweeps of each kind in a compound sweep
  int reunitarize_every = 10;            ///< compound sweeps between two projections of links to SU(3)
  /// Gauge action and its coefficients, as in [gauge] of generate jobs: "wilson", "symanzik", "iwasaki",
  /// "dbw2", "rectangles" with c1, or "luscher_weisz" with u0 and flavours.
  std::string action = "wilson";
  std::optional<double> c1 = {};          ///< coefficient of rectangles
  std::optional<double> u0 = {};          ///< fourth root of the average plaquette; none: 1
  std::optional<int> flavours = {};       ///< of sea quarks in the one-loop coefficients; none: 0
  std::optional<double> anisotropy = {};  ///< bare anisotropy; none: 1
};

/// A Markov chain of pseudo-heatbath in SU(2) subgroups (Cabibbo, Marinari 1982) and overrelaxation. The bits
/// are those of generate jobs, on any process grid.
class HeatbathChain {
 public:
  /// Starts from `gauge`, which has had `sweeps` compound sweeps of this chain: random numbers
  /// belong to the number of a sweep. Throws Error(usage) for settings that are not possible, and
  /// Error(job_file) for an action with rectangles where an extent is below 4.
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

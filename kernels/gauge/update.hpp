// Quenched gauge fields: starts, and updates with an action of plaquettes, rectangles and chairs. Fields live
// on geometry->extended(1), or extended(2) with rectangles (the plain geometry where nothing is split). The
// same bits on any process grid.
#pragma once

#include <cstdint>
#include <optional>

#include "comms/halo/extended_halo.hpp"
#include "kernels/gauge/link_colours.hpp"

namespace plaq {

// Unit links, and links from the Haar measure; the halo included. Not collective.
void cold_start(Field& gauge, const Queue& queue);
void hot_start(Field& gauge, std::uint64_t seed, const Queue& queue);
// Back to SU(3) by Gram-Schmidt, the halo included: what rounding or a file's precision took away. Not
// collective.
void reunitarize(Field& gauge, const Queue& queue);

// With the Wilson action, S = -beta/3 sum Re tr P.
struct UpdateParameters {
  double beta = 6.0;
  std::uint64_t seed = 1;
};

// Sweeps of each kind in a compound sweep, and compound sweeps from a projection of the
// links onto SU(3) to the next one.
struct CompoundSweep {
  std::int64_t heatbath = 1, overrelaxation = 4, reunitarize_every = 10;
};

// Sweeps of all colours and of mu = 0..3: links of one colour and direction do not see each other. Colours
// are parities where loops are plaquettes (kernels/gauge/link_colours.hpp). A sweep leaves the halo filled
// and needs it filled. Updated links are put back on SU(3) at once.
class QuenchedUpdate {
 public:
  // `like`: the field that will be updated, or one of its kind.
  QuenchedUpdate(const ProcessGrid& grid, const Field& like, const UpdateParameters& parameters,
                 std::shared_ptr<Transport> transport);
  // With any weights of loops (kernels/gauge/gauge_action.hpp). Throws Error(job_file) where an extent is
  // below 4 and the action has rectangles.
  QuenchedUpdate(const ProcessGrid& grid, const Field& like, const LoopWeights& weights, std::uint64_t seed,
                 std::shared_ptr<Transport> transport);

  // Pseudo-heatbath in the three SU(2) subgroups. The random numbers belong to (seed, sweep): give each sweep
  // of a run a number of its own.
  void heatbath_sweep(Field& gauge, std::uint32_t sweep, const Queue& queue);
  // Microcanonical, without random numbers.
  void overrelaxation_sweep(Field& gauge, const Queue& queue);
  // Heatbath, then overrelaxation; `number` of the compound sweep in its run, from 0 on.
  void compound_sweep(Field& gauge, const CompoundSweep& kinds, std::int64_t number, const Queue& queue);
  // Fills the halo, for a field that was read from a file.
  void fill_halo(Field& gauge, const Queue& queue) { halo_.exchange(gauge, queue); }

 private:
  template <class Launch>
  void sweep_parities(Field& gauge, const char* name, const Queue& queue, const Launch& launch);
  template <class Launch>
  void sweep_colours(Field& gauge, const char* name, const Queue& queue, const Launch& launch);

  LoopWeights weights_;
  std::uint64_t seed_;
  ExtendedHalo halo_;
  std::optional<ColouredLinks> coloured_;  // none: the Wilson action, whose colours are parities
};

}  // namespace plaq

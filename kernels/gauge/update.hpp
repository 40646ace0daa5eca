// Quenched gauge fields: starts and updates with the Wilson action, S = -beta/3 sum Re tr P. Fields live on
// geometry->extended(1) (the plain geometry where nothing is split). The same bits on any process grid.
#pragma once

#include <cstdint>

#include "comms/halo/extended_halo.hpp"

namespace plaq {

// Unit links, and links from the Haar measure; the halo included. Not collective.
void cold_start(Field& gauge, const Queue& queue);
void hot_start(Field& gauge, std::uint64_t seed, const Queue& queue);
// Back to SU(3) by Gram-Schmidt, the halo included: what rounding or a file's precision took away. Not
// collective.
void reunitarize(Field& gauge, const Queue& queue);

struct UpdateParameters {
  double beta = 6.0;
  std::uint64_t seed = 1;
};

// Sweeps of each kind in a compound sweep, and compound sweeps from a projection of the
// links onto SU(3) to the next one.
struct CompoundSweep {
  std::int64_t heatbath = 1, overrelaxation = 4, reunitarize_every = 10;
};

// Sweeps of parity even, odd and of mu = 0..3: links of one parity and direction do not see each other. Each
// leaves the halo filled and needs it filled. Updated links are put back on SU(3) at once.
class QuenchedUpdate {
 public:
  // `like`: the field that will be updated, or one of its kind.
  QuenchedUpdate(const ProcessGrid& grid, const Field& like, const UpdateParameters& parameters,
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
  void sweep_links(Field& gauge, const char* name, const Queue& queue, const Launch& launch);

  UpdateParameters parameters_;
  ExtendedHalo halo_;
};

}  // namespace plaq

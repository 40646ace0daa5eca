// Gauge fixing by sweeps over g(x): Schroeck, Vogt 2013. The gauge field stays as it is; g is changed until
//   U^g_mu(x) = g(x) U_mu(x) g(x+mu)^dagger
// has a maximum of the gauge functional, for one gauge copy or several at once.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "comms/halo/halo_work.hpp"
#include "comms/halo/schedule.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/field.hpp"
#include "core/operator/linear_operator.hpp"
#include "gaugefix/run/gauge_condition.hpp"
#include "gaugefix/sweep/relaxation.hpp"
#include "gaugefix/sweep/sweep_launch.hpp"

namespace plaq {

// Fields that a GaugeFixer allocates: links, g, the faces of sweeps, and those of quality() if they differ.
struct GaugeFixerSpecs {
  FieldSpec links, g;
  HaloSpec halo;
  std::optional<HaloSpec> quality_halo;
};
GaugeFixerSpecs gauge_fixer_specs(Gauge kind, FixingPrecision precision, int copies, Location location);

class GaugeFixer {
 public:
  // `gauge`: links of SU(3), without halo, of any precision and location; copied as
  // two rows of each; throws where these do not make the link again (store_links), on every rank. The grid
  // must outlive this object. g = 1 at first. Collective, as all of it is.
  GaugeFixer(const ProcessGrid& grid, const Field& gauge, Gauge kind, FixingPrecision precision, int copies,
             const Queue& queue, std::shared_ptr<Transport> transport);

  Gauge gauge() const { return gauge_; }
  int copies() const { return g_.subfields(); }
  const Queue& queue() const { return schedule_.queue(); }
  const ProcessGrid& grid() const { return *grid_; }
  FixingPrecision precision() const { return precision_; }

  // g = 1.
  void start_from_unit();
  // A point of its own on the gauge orbit for each copy: copy k has that of `seed` + k, on any process grid.
  void start_at_random(std::uint64_t seed);
  // One copy alone: `g` as transformation() gives it, at any location.
  void start_from(int copy, const Field& g);
  // Goes on with these copies alone, which become copies 0, 1, ...
  void keep(const std::vector<int>& copies);

  // One update of all sites, even ones first. Queued.
  void sweep(const RelaxationStep& step);
  void sweep(const GroupOverrelaxationStep& step);
  void sweep(const HeatbathStep& step);
  // Brings g back to SU(3). Sweeps do so to second order in what is missing, so that g does not drift.
  // Queued.
  void project();
  // Quality of each copy; waits.
  std::vector<GaugeQuality> quality();

  // Halo and schedule of an update of one parity, for measurements. A sweep is two updates, and keep() makes
  // another halo.
  Halo& halo() { return *halo_; }
  Schedule& schedule() { return schedule_; }
  // g as it is stored: two rows of 12 reals in all, a subfield a copy (gaugefix/sweep/su3_view.hpp), at the
  // queue's location. What is queued may still change it.
  const Field& rows() const { return g_; }

  // g of one copy in double, SU(3) in double too, on both parities: 3x3, one
  // subfield, at the queue's location.
  Field transformation(int copy) const;

  // For other methods on the same g (gaugefix/fourier/accelerated.hpp): what kernels on the sites of `parity`
  // are given, and the faces that they read, all in the precision of g as for
  // quality(); until keep(). Queued.
  SweepCall quality_call(int parity);
  void exchange_quality_faces(int parity);

 private:
  void make_halos();
  SweepCall call(int parity);
  template <class Use>
  void with_precision(Use&& use) const;
  template <class Update>
  void update_all(const Update& update);
  HaloWork half_sweep() const;

  const ProcessGrid* grid_;
  Gauge gauge_;
  FixingPrecision precision_;
  Field links_, g_;
  std::shared_ptr<Transport> transport_;
  std::unique_ptr<Halo> halo_;          // of sweeps
  std::unique_ptr<Halo> quality_halo_;  // where that is another precision's, else null
  Schedule schedule_;
};

// g as of GaugeFixer::transformation, but of matrices that are only nearly of SU(3): made so. Waits.
void project_transformation(Field& g, const Queue& queue);

// U^g in place. `g`: as of GaugeFixer::transformation, or of another geometry of the same ranks; in double.
void transform_gauge(const ProcessGrid& grid, Field& gauge, const Field& g, const Queue& queue,
                     std::shared_ptr<Transport> transport);

// Work of one update of so many sites, each copy's its own. Flops are counted by the field's custom, 2274 a
// site in four directions (Schroeck, Vogt 2013, appendix A): 2016 for eight links and 192 for the sums, in
// three directions for six links, and 66 for an overrelaxation, taken for every update. Bytes: the links of
// each site and of its neighbours once in each half of the update, and two rows of g read where it changes
// and where neighbours look at it, and written.
Work sweep_work(Gauge gauge, FixingPrecision precision, double sites);

}  // namespace plaq

// The hopping term of staggered fermions, one-link or improved, with links of its own in any storage, and
// M = m + D/2 on the full lattice (kernels/dirac/staggered/staggered_hop.hpp, staggered_parameters.hpp).
#pragma once

#include <memory>

#include "comms/grid/process_grid.hpp"
#include "comms/halo/halo_work.hpp"
#include "comms/halo/schedule.hpp"
#include "comms/transport/transport.hpp"
#include "core/operator/linear_operator.hpp"
#include "kernels/dirac/hop/hop_halos.hpp"
#include "kernels/dirac/hop/rotated_vectors.hpp"
#include "kernels/dirac/staggered/staggered_launch.hpp"
#include "kernels/dirac/staggered/staggered_parameters.hpp"
#include "kernels/gauge/link_storage.hpp"

namespace plaq {

// Fat links as operators read them.
struct FatLinks {
  Field links;        // 18 reals, divided by
  double factor = 1;  // this: in half precision their largest component anywhere on the lattice, else 1
};

// Stores any matrices, at the queue's location and in the gauge that `rotation` says. Collective. Throws
// Error(input_file) on every rank where links in half precision are not numbers.
FatLinks store_fat_links(const ProcessGrid& grid, const Field& fat, Precision precision,
                         const ColorRotation& rotation, const Queue& queue);

// out = a * add + b * D in; D in alone where `add` is null.
struct StaggeredSum {
  double a = 0;
  const Field* add = nullptr;
  double b = 1;
};

// Hops of three steps must end in the next rank: throws Error(job_file) where a rank has fewer slices in a
// direction that is split.
inline constexpr int least_slices_of_long_hops = 4;
void check_long_hops(const Geometry& geometry);

// D with links of its own. Vectors and links have one precision. Links of eight reals are kept in another
// gauge, as those of WilsonHopping are: see there for `apply`, `apply_stored` and `rotated_parity`.
class StaggeredHopping {
 public:
  // One-link: the links in 18, 12 or 8 reals. Fields may have any precision and location; they are copied and
  // converted. The grid must outlive this object. Throws where links cannot be compressed (store_links), on
  // every rank.
  StaggeredHopping(const ProcessGrid& grid, const Field& gauge, const StaggeredParameters& parameters,
                   const LinkStorage& storage, const Queue& queue, std::shared_ptr<Transport> transport,
                   int rotated_parity = 1);
  // Improved: `fat`, any matrices, for hops of one step, which are stored in 18 reals; `long_links` of SU(3),
  // times parameters.naik, for those of three, stored as `storage` says. Throws Error(job_file) where a
  // direction that is split has less than four slices a rank.
  StaggeredHopping(const ProcessGrid& grid, const Field& fat, const Field& long_links,
                   const StaggeredParameters& parameters, const LinkStorage& storage, const Queue& queue,
                   std::shared_ptr<Transport> transport, int rotated_parity = 1);

  const GeometryPtr& geometry() const { return links_.geometry_ptr(); }
  const Queue& queue() const { return schedule_.queue(); }
  const std::shared_ptr<Transport>& transport() const { return halos_.transport(); }
  Location location() const { return links_.location(); }
  Precision precision() const { return links_.precision(); }
  LinkStorage storage() const { return storage_; }
  const StaggeredParameters& parameters() const { return parameters_; }
  bool improved() const { return static_cast<bool>(long_links_); }
  // Parity -1 where the stored links are in the gauge that they came in.
  const ColorRotation& rotation() const { return rotated_.rotation(); }
  bool rotates(int parity) const { return rotated_.rotates(parity); }
  // Faces of 16-bit numbers instead of computing precision: about half the bytes between ranks, and bits that
  // depend on the process grid. For operators inside of others, in single or half precision; before the first
  // application, and alike on all ranks.
  void set_short_faces(bool wanted) { halos_.set_short_faces(wanted, precision()); }
  static HaloSpec halo_spec(Precision precision, int batch, Location location, bool improved,
                            bool short_faces = false);

  // On the sites of `parity`, for the active right-hand sides; the others of `out` are left alone. `in` holds
  // the other parity, `out` and `add` hold `parity`; `out` may be `add`, not `in`. Dagger: D^dagger = -D.
  void apply(Field& out, const Field& in, int parity, bool dagger, const ActiveSet& active,
             const StaggeredSum& sum = {});
  void apply_stored(Field& out, const Field& in, int parity, bool dagger, const ActiveSet& active,
                    const StaggeredSum& sum = {});

  // On one parity; 570 flops a site, improved 1146.
  Work work(int batch, bool with_add) const;

  Halo& halo(int batch);
  // True if an application to so many active right-hand sides is one launch, faces and all.
  bool fused(int active, int batch) { return may_be_fused(active) && halo(batch).flags() != nullptr; }
  Schedule& schedule() { return schedule_; }

 private:
  StaggeredHopping(const ProcessGrid& grid, const Field& links, const Field* long_links,
                   const StaggeredParameters& parameters, const LinkStorage& storage, const Queue& queue,
                   std::shared_ptr<Transport> transport, int rotated_parity);
  HopWeights<double> weights(double coefficient, bool dagger) const;
  // Batches, which pass held links, have no fused halo kernel.
  HaloWork halo_work(const Field& in, const ActiveSet& active, bool with_add) const;
  static bool may_be_fused(int active) { return active == 1; }

  StaggeredParameters parameters_;
  LinkStorage storage_;
  RotatedVectors rotated_;
  Field links_, long_links_;
  double fat_factor_ = 1;
  HopHalos halos_;
  Schedule schedule_;
};

using StaggeredHoppingPtr = std::shared_ptr<StaggeredHopping>;

// M = m + D/2 on the full lattice; its dagger is m - D/2.
class StaggeredOperator final : public LinearOperator {
 public:
  explicit StaggeredOperator(StaggeredHoppingPtr hopping) : hopping_(std::move(hopping)) {}

  const GeometryPtr& geometry() const override { return hopping_->geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return hopping_->queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override { return hopping_->halo(batch).capturable(); }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  StaggeredHoppingPtr hopping_;
};

}  // namespace plaq

// The hopping term of the Wilson operator in a storage of its own, and M on the full lattice, with and
// without a clover term (kernels/dirac/wilson/wilson_parameters.hpp). Spinors in the DeGrand-Rossi basis.
#pragma once

#include <memory>

#include "comms/halo/halo_work.hpp"
#include "comms/halo/schedule.hpp"
#include "comms/transport/transport.hpp"
#include "core/operator/linear_operator.hpp"
#include "kernels/dirac/clover/clover_field.hpp"
#include "kernels/dirac/hop/hop_halos.hpp"
#include "kernels/dirac/hop/rotated_vectors.hpp"
#include "kernels/dirac/twist/site_diagonal.hpp"
#include "kernels/dirac/wilson/wilson_launch.hpp"
#include "kernels/dirac/wilson/wilson_parameters.hpp"

namespace plaq {

// out = a * add + b * D in; D in alone where `add` is null. With chiral blocks, C D in or C add in its place.
struct HopSum {
  double a = 0;
  const Field* add = nullptr;
  double b = 1;
  const Field* clover = nullptr;  // C on the sites of the result, in the operator's storage and gauge
  bool clover_on_add = false;
  bool of_operator =
      false;  // one of the hopping terms of an even-odd or full operator: for models of its time
  static constexpr int all_hops = -1;
  int hop = all_hops;  // or one directed hop alone, 2 mu ahead, 2 mu + 1 behind; 8: none
};

// D with links of its own. Spinors and links have one precision; links have 18, 12 or 8 reals.
//
// Links of eight reals are kept in another gauge (fourier_rotation): R on the sites of `rotated_parity`.
// `apply` takes and gives spinors in the gauge of the links that it was made from, all the same, and rotates
// them where it must. `apply_stored` takes them in the gauge of the stored links, which differs on that
// parity only: a Schur complement on the other parity never has to rotate.
class WilsonHopping {
 public:
  // `gauge` may have any precision and location; it is copied and converted. The grid must outlive this
  // object. Throws where links cannot be compressed (store_links), on every rank.
  WilsonHopping(const ProcessGrid& grid, const Field& gauge, const WilsonParameters& parameters,
                const LinkStorage& storage, const Queue& queue, std::shared_ptr<Transport> transport,
                int rotated_parity = 1);

  const GeometryPtr& geometry() const { return links_.geometry_ptr(); }
  const Queue& queue() const { return schedule_.queue(); }
  const std::shared_ptr<Transport>& transport() const { return halos_.transport(); }
  Location location() const { return links_.location(); }
  Precision precision() const { return links_.precision(); }
  LinkStorage storage() const { return {links_.precision(), links_.spec().reals()}; }
  const WilsonParameters& parameters() const { return parameters_; }
  // Stored links: those that it was made from, if they are of 18 reals in double.
  const Field& links() const { return links_; }
  // Parity -1 where the stored links are in the gauge that they came in.
  const ColorRotation& rotation() const { return rotated_.rotation(); }
  bool rotates(int parity) const { return rotated_.rotates(parity); }
  // True if all stored time links but those that cross the lattice's edge are exactly 1: they are then
  // neither read nor multiplied. Never with eight reals.
  bool temporal_gauge() const { return weights_.unit_inside; }
  // Faces of 16-bit numbers instead of computing precision: about half the bytes between ranks, and bits that
  // depend on the process grid. For operators inside of others, in single or half precision; before the first
  // application, and alike on all ranks.
  void set_short_faces(bool wanted) { halos_.set_short_faces(wanted, precision()); }
  static HaloSpec halo_spec(Precision precision, int batch, Location location, bool short_faces = false);

  // On the sites of `parity`, for the active right-hand sides; the others of `out` are left alone. `in` holds
  // the other parity, `out` and `add` hold `parity`; `out` may be `add`, not `in`.
  void apply(Field& out, const Field& in, int parity, bool dagger, const ActiveSet& active,
             const HopSum& sum);
  void apply_stored(Field& out, const Field& in, int parity, bool dagger, const ActiveSet& active,
                    const HopSum& sum);
  // out = a * add + b * D in for all right-hand sides.
  void apply(Field& out, const Field& in, int parity, bool dagger, double a = 0, const Field* add = nullptr,
             double b = 1) {
    apply(out, in, parity, dagger, ActiveSet(in.subfields()), {a, add, b});
  }

  // The parts of apply_stored, for operators that do more in one launch: its arguments, and its work.
  WilsonHopCall call(Field& out, const Field& in, int parity, bool dagger, const ActiveSet& active,
                     const HopSum& sum);
  HaloWork halo_work(const Field& in, const ActiveSet& active, const HopSum& sum) const;

  // On one parity; 1320 flops a site, clover 504.
  Work work(int batch, bool with_add, bool with_clover = false) const;

  Halo& halo(int batch);
  // True if an application to so many active right-hand sides is one launch, faces and all.
  bool fused(int active, int batch) { return may_be_fused(active) && halo(batch).flags() != nullptr; }
  Schedule& schedule() { return schedule_; }

 private:
  // Batches that pass held links have no fused halo kernel.
  bool may_be_fused(int active) const { return active == 1 || precision() == Precision::double_precision; }
  void find_unit_links();

  const ProcessGrid* grid_;
  WilsonParameters parameters_;
  RotatedVectors rotated_;
  Field links_;
  HopHalos halos_;
  HopWeights<double> weights_;
  Schedule schedule_;
};

using WilsonHoppingPtr = std::shared_ptr<WilsonHopping>;

// C and its inverses in an operator's storage and gauge, as far as asked for.
struct CloverBlocks {
  Field term;              // both parities
  Field inverse[2];        // by parity; of twisted-mass quarks A of (C + i mu gamma5)^-1 = A - i gamma5 B,
  Field inverse_twist[2];  // and B
};
using CloverBlocksPtr = std::shared_ptr<const CloverBlocks>;

enum class CloverNeed { operator_full, schur_symmetric, schur_asymmetric };
// Null where the operator has no clover term. `gauge` is what `hopping` was made from; `plain` its clover
// field, if it is there already (made here otherwise; of no use to a hopping term whose links are rotated).
// `parity`: of the Schur complement. Collective.
CloverBlocksPtr make_clover_blocks(const ProcessGrid& grid, const Field& gauge, const WilsonHopping& hopping,
                                   CloverNeed need, int parity = 0, CloverField* plain = nullptr);

// The diagonal of M, C + i mu gamma5, and its inverse at the sites of a parity, from the parameters of a
// hopping term and the clover blocks that belong to it, if any, in the gauge of its stored links.
SiteDiagonal site_diagonal(const WilsonParameters& parameters, const CloverBlocks* clover);
SiteDiagonal inverse_site_diagonal(const WilsonParameters& parameters, const CloverBlocks* clover,
                                   int parity);

// M on the full lattice.
class WilsonOperator final : public NearestNeighborOperator {
 public:
  // `clover`: for operator_full; must be there if the parameters have a clover term.
  explicit WilsonOperator(WilsonHoppingPtr hopping, CloverBlocksPtr clover = nullptr);

  const GeometryPtr& geometry() const override { return hopping_->geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return hopping_->queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override { return hopping_->halo(batch).capturable(); }
  void apply_part(Field& out, const Field& in, int part, const ActiveSet& active) override;

  double twisted_mass() const { return hopping_->parameters().twisted_mass; }
  // M is that of quarks without a twisted mass from then on.
  void leave_out_twist() { has_twist_ = false; }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  bool twisted() const { return has_twist_ && twisted_mass() != 0; }
  void add_own_twist(Field& out, const Field& in, int parity, bool dagger, const ActiveSet& active);
  WilsonHoppingPtr hopping_;
  CloverBlocksPtr clover_;
  bool has_twist_ = true;
};

}  // namespace plaq

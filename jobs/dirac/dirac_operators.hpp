// One Dirac matrix in several storages.
#pragma once

#include <memory>

#include "jobs/dirac/solver_spec.hpp"
#include "kernels/dirac/wilson_schur.hpp"

namespace plaq::jobs {

constexpr int schur_parity = 0;

// What all of them have in common. Cheap to copy; the grid must outlive it.
struct DiracMatrix {
  const ProcessGrid* grid;
  WilsonParameters parameters;
  Preconditioning preconditioning;
  Queue queue;
  std::shared_ptr<Transport> transport;
  int batch;
  bool short_faces = false;  // WilsonHopping::set_short_faces
};

// The operator that is iterated: M itself, or its Schur complement on the even sites.
class DiracOperator {
 public:
  // Links and clover blocks of their own from `gauge`, of 18 reals; `clover`: the clover field of these
  // links, null where it is not at hand. Collective.
  DiracOperator(const DiracMatrix& matrix, const Field& gauge, const LinkStorage& storage,
                CloverField* clover);
  // The same with a hopping term that is there already.
  DiracOperator(const DiracMatrix& matrix, const Field& gauge, WilsonHoppingPtr hopping, CloverField* clover);

  LinkStorage storage() const { return hopping_->storage(); }
  LinearOperator& iterated();
  WilsonSchur* schur() { return schur_.get(); }  // null without preconditioning

 private:
  WilsonHoppingPtr hopping_;
  std::unique_ptr<WilsonOperator> full_;
  std::unique_ptr<WilsonSchur> schur_;
};

// In temporal gauge with its gauge_frame(). `links`: as above, in double and unitary. Collective.
std::shared_ptr<DiracOperator> make_in_temporal_gauge(const DiracMatrix& matrix, const Field& links,
                                                      const LinkStorage& storage);

// The clover field of that matrix; null without a clover term. Collective.
std::shared_ptr<CloverField> make_clover_field(const ProcessGrid& grid, const Field& gauge,
                                               const WilsonParameters& parameters, const Queue& queue,
                                               std::shared_ptr<Transport> transport);

WilsonHoppingPtr make_hopping(const DiracMatrix& matrix, const Field& gauge, const LinkStorage& storage);
CloverNeed clover_need(Preconditioning preconditioning);

}  // namespace plaq::jobs

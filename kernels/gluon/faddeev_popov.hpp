// The Faddeev-Popov operator of Landau gauge, the Hessian of -sum Re tr U over gauge transformations:
//   (M w)^a(x) = sum_{y,b} M^ab(x,y) w^b(y),
//   M^ab(x,y) = sum_mu Re tr[ {T^a, T^b} (U_mu(x) + U_mu(x-mu)) delta(x,y)
//               - 2 T^b T^a U_mu(x) delta(x+mu,y) - 2 T^a T^b U_mu(x-mu) delta(x-mu,y) ],  tr T^a T^b = 1/2
// (Zwanziger, Nucl. Phys. B 412 (1994) 657; Sternbeck et al., Phys. Rev. D 72 (2005) 014507). On
// unit links it is minus the lattice Laplacian, with the eigenvalues sum_mu 4 sin^2(p_mu/2).
//
// With w = w^a T^a, complex w^a, as a traceless 3x3 matrix, U = U_mu(x) and V = U_mu(x-mu),
//   M w = (1/4) [ w K + K w - 2 sum_mu (U w(x+mu) + w(x+mu) U^dagger + V^dagger w(x-mu) + w(x-mu) V) ]
//         without its trace,
//   K = sum_mu (U + U^dagger + V + V^dagger),
// which is linear, and Hermitian in tr(w^dagger v) summed over sites.
//
// Constant w are zero modes in Landau gauge. On a field that is fixed to some precision they are nearly so,
// and mix with all others: this operator is P M, P taking the average over the lattice from each component.
// On vectors without such a part it is Hermitian, and positive where the field is inside the Gribov horizon.
#pragma once

#include <map>
#include <memory>

#include "comms/halo/schedule.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/version_of.hpp"
#include "core/operator/linear_operator.hpp"
#include "core/sums/sum_buffer.hpp"
#include "kernels/dirac/hop/hop_halos.hpp"

namespace plaq {

class FaddeevPopov final : public LinearOperator {
 public:
  // `gauge`: a field in Landau gauge, without halo, double precision, at the queue's location; it is kept,
  // not copied, and must outlive this object, as the grid must. An application after it changed throws
  // Error(usage). At most `batch` right-hand sides. Collective.
  FaddeevPopov(const ProcessGrid& grid, const Field& gauge, int batch, const Queue& queue,
               std::shared_ptr<Transport> transport);

  // Fields of traceless 3x3 matrices (kernels/gluon/color_matrix_view.hpp).
  const GeometryPtr& geometry() const override { return links_->geometry_ptr(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return schedule_.queue(); }
  Work work(int batch) const override;

  // Takes from each component its average over the lattice. Collective; waits. The same bits on any process
  // grid.
  void remove_constant(Field& w, const ActiveSet& active);
  void remove_constant(Field& w) { remove_constant(w, ActiveSet(w.batch())); }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  void hop(Field& out, const Field& in, const Field* diagonal, const ActiveSet& active);

  const ProcessGrid* grid_;
  const Field* links_;
  VersionOf made_of_;  // which K belongs to
  HopHalos halos_;
  Schedule schedule_;
  Field diagonal_;  // K
  SumBuffer sums_;
  Buffer constant_;
};

}  // namespace plaq

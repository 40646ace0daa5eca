// Minus the gauge-covariant Laplacian in space, of all time slices:
//   (A v)(x) = sum_i [ 2 v(x) - U_i(x) v(x+i) - U_i(x-i)^dagger v(x-i) ],  i = x, y, z,
// where hops over the edge of the lattice have the boundary signs. It is Hermitian, with eigenvalues in
// [0, 12], and joins no two slices, spins or right-hand sides: a spinor is four color vectors. Its low modes
// smear quarks by distillation (Peardon et al., Phys. Rev. D 80 (2009) 054506).
#pragma once

#include <map>
#include <memory>

#include "comms/halo/halo.hpp"
#include "comms/halo/schedule.hpp"
#include "comms/transport/transport.hpp"
#include "core/operator/linear_operator.hpp"
#include "kernels/gauge/link_copies.hpp"

namespace plaq {

class SpatialLaplacian final : public LinearOperator {
 public:
  static constexpr double largest_eigenvalue = 12;  // at most, for links that are unitary

  // `gauge`: the links U, smeared or not, without halo, any precision and location; they are copied and
  // converted to `precision`, single or double. The grid must outlive this object.
  SpatialLaplacian(const ProcessGrid& grid, const Field& gauge, const SpaceSigns& boundary,
                   Precision precision, const Queue& queue, std::shared_ptr<Transport> transport);

  const GeometryPtr& geometry() const override { return links_.geometry_ptr(); }
  FieldSpec spec(int batch) const override;  // spinors on both parities
  const Queue& queue() const override { return schedule_.queue(); }
  Work work(int batch) const override;

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;

  const ProcessGrid* grid_;
  Field links_;
  std::shared_ptr<Transport> transport_;
  Schedule schedule_;
  std::map<int, std::unique_ptr<Halo>> halos_;  // by the number of subfields
};

}  // namespace plaq

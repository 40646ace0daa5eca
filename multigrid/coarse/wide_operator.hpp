// The Galerkin operator of a product of two operators with nearest neighbours, as multigrid of domain walls
// has it: 33 matrices a site, for the nine of CoarseOperator and for neighbours one step away in each of two
// directions (multigrid/coarse/coarse_links.hpp). On coarser lattices it is of the same kind.
//
// Diagonal neighbours are the nearest ones of vectors that are shifted by a step, so that faces are enough
// between ranks.
#pragma once

#include <memory>
#include <vector>

#include "multigrid/coarse/coarse_operator.hpp"

namespace plaq {

class WideOperator final : public StencilOperator {
 public:
  // Arguments are those of CoarseOperator; there is no chirality, and so no adjoint.
  WideOperator(const ProcessGrid& grid, CoarseLinks links, Precision precision, const Queue& queue,
               const std::shared_ptr<Transport>& transport);

  const GeometryPtr& geometry() const override { return nearest_.geometry(); }
  FieldSpec spec(int batch) const override { return nearest_.spec(batch); }
  const Queue& queue() const override { return nearest_.queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override;
  // Nearest neighbours come first.
  const std::vector<Offset>& offsets() const override;
  void apply_part(Field& out, const Field& in, int part, const ActiveSet& active) override;
  int chiralities() const override { return 1; }
  CoarseLinks links() const;

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  void shift(const Field& in, const ActiveSet& active);

  CoarseOperator nearest_;
  std::vector<std::unique_ptr<CoarseOperator>> diagonal_;  // by the hop that is made first
  std::vector<Field> shifted_;                             // vectors by that hop
};

}  // namespace plaq

#include "multigrid/coarse/coarse_twist.hpp"

#include <functional>
#include <utility>

#include "core/launch/dispatch.hpp"
#include "multigrid/coarse/coarse_links.hpp"
#include "multigrid/coarse/galerkin.hpp"

namespace plaq {
namespace {

// R image(P) as matrices of sites: near-null vectors of one chirality after the other, in a field of this
// kind.
Field site_matrices(const Transfer& transfer, Field vectors, const Queue& queue,
                    const std::function<const Field&(const Field&)>& image) {
  const Aggregation& aggregation = transfer.aggregation();
  require(aggregation.chiralities() == 2, "the share of even sites of a transfer without chirality");
  const int count = transfer.vectors();
  const Precision precision = vectors.precision();
  const GeometryPtr& coarse = aggregation.coarse_ptr();
  Field unit(coarse, transfer.coarse_spec(count, precision)), column(coarse, unit.spec());
  Field links(coarse, coarse_links_spec(2 * count, precision, vectors.location(), coarse_site_alone));
  const ActiveSet all(count);
  for (int chirality = 0; chirality < 2; ++chirality) {
    const int first = chirality * count;
    dispatch(vectors.location(), precision, [&]<class Kind>(Kind) {
      GalerkinLaunch<typename Kind::target, typename Kind::scalar>::unit_vectors(unit, first, queue);
    });
    transfer.prolong(vectors, unit, all);
    transfer.restrict(column, image(vectors), all);
    dispatch(vectors.location(), precision, [&]<class Kind>(Kind) {
      GalerkinLaunch<typename Kind::target, typename Kind::scalar>::store_columns(links, column, 0, first,
                                                                                  false, queue);
    });
  }
  queue.synchronize();
  return links;
}

}  // namespace

Field even_share(const Transfer& transfer, GeometryPtr finest, const FieldSpec& even, const Queue& queue) {
  FieldSpec spec = even;
  spec.subfields = transfer.vectors();
  return site_matrices(transfer, Field(std::move(finest), spec), queue,
                       [](const Field& p) -> const Field& { return p; });
}

Field even_share(const Transfer& transfer, CoarseOperator& above) {
  Field image(above.geometry(), above.spec(transfer.vectors()));
  return site_matrices(transfer, Field(above.geometry(), image.spec()), above.queue(),
                       [&](const Field& p) -> const Field& {
                         above.apply(image, p);
                         return image;
                       });
}

}  // namespace plaq

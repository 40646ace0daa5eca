#include "multigrid/transfer/aggregation.hpp"

#include <utility>

namespace plaq {

Aggregation::Aggregation(GeometryPtr fine, const Extents& block, int components, int chiralities, int slices,
                         std::optional<LatticeOrder> coarse_order)
    : blocking_(coarse_order ? Blocking(std::move(fine), block, *coarse_order)
                             : Blocking(std::move(fine), block)) {
  require(chiralities >= 1 && components % chiralities == 0,
          "chiralities that do not share a site's components evenly");
  rows_.map = blocking_.map();
  rows_.parities = blocking_.fine().parities();
  rows_.chiralities = chiralities;
  rows_.components = components;
  rows_.slices = slices;
}

int Aggregation::most_vectors() const { return blocking_.block_volume() * rows_.half() * rows_.slices; }

FieldSpec Aggregation::vectors_spec(int count, Precision precision, Location location) const {
  FieldSpec spec = plaq::coarse_spec(Subset::full, rows_.of_chirality(), count, precision, location,
                                     Order::right_hand_sides_fastest);
  spec.spins = rows_.chiralities;
  return spec;
}

FieldSpec Aggregation::coarse_spec(int count, int batch, Precision precision, Location location) const {
  FieldSpec spec = plaq::coarse_spec(Subset::full, count, batch, precision, location);
  spec.spins = rows_.chiralities;
  return spec;
}

}  // namespace plaq

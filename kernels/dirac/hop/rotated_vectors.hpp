// Vectors for a hopping term whose links are kept in a rotated gauge (ColorRotation), so that its users know
// nothing of it.
#pragma once

#include <map>

#include "kernels/gauge/link_storage.hpp"

namespace plaq {

class RotatedVectors {
 public:
  // Parity -1 where nothing is rotated.
  explicit RotatedVectors(const ColorRotation& rotation) : rotation_(rotation) {}

  const ColorRotation& rotation() const { return rotation_; }
  bool rotates(int parity) const { return rotation_.parity == parity; }

  // stored(out, in, sum) computes the sites of `parity` in the gauge of the links; sum.add, of that parity,
  // may be null. Here vectors are in the gauge that the links came in.
  template <class Sum, class Stored>
  void apply(Field& out, const Field& in, int parity, const ActiveSet& active, const Sum& sum,
             const Queue& queue, Stored&& stored) {
    if (rotates(1 - parity)) {
      Field& mine = workspace(1 - parity, in);
      rotate_color(mine, in, 1 - parity, rotation_, false, active, queue);
      return stored(out, mine, sum);
    }
    if (!rotates(parity)) return stored(out, in, sum);
    Sum mine = sum;
    if (sum.add != nullptr) {
      Field& add = workspace(parity, *sum.add);
      rotate_color(add, *sum.add, parity, rotation_, false, active, queue);
      mine.add = &add;
    }
    stored(out, in, mine);
    rotate_color(out, out, parity, rotation_, true, active, queue);
  }

 private:
  Field& workspace(int parity, const Field& like) {
    Field& field = fields_[parity][like.subfields()];
    if (!field) {
      FieldSpec spec = like.spec();
      spec.subset = subset_of(parity);
      field = Field(like.geometry_ptr(), spec);
    }
    return field;
  }

  ColorRotation rotation_;
  std::map<int, Field> fields_[2];  // by parity and subfields
};

}  // namespace plaq

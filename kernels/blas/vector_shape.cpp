#include "kernels/blas/vector_shape.hpp"

#include "core/system/error.hpp"

namespace plaq::blas {

void expect_alike(const Field& vector, const Field& like, Location location, Precision precision) {
  const FieldSpec& v = vector.spec();
  expect(vector, location, precision, like.spec().spins, like.spec().colors);
  require(v.with_scale() == (precision == Precision::half_precision),
          "a field without scales in a vector update in half precision");
  require(v.subfields == like.spec().subfields && v.slices == like.spec().slices,
          "vectors of different batches or fifth extents in one update");
  require(vector.layout().sites == like.layout().sites, "vectors on different lattices in one update");
}

std::string shape_name(const Field& vector) {
  const std::string storage(name_of(vector.precision()));
  const int reals = vector.reals_per_site();
  return reals == 24 ? storage : storage + " " + std::to_string(reals);
}

}  // namespace plaq::blas

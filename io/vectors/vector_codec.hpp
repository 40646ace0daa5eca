// Between the records of files of vectors on the even sites and vectors in host memory, with all host
// threads. Rows are this rank's rows of even sites along x in lexicographic order. At a site one vector after
// the other, big-endian, its `reals` numbers in their order:
//   single  floats
//   half    a float, the largest magnitude m of the vector at this site, then integers n of 16 bits,
//           which stand for n m / 32767
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/system/error.hpp"

namespace plaq {

// Bytes of a vector at a site.
constexpr int vector_bytes(Precision stored, int reals) {
  return stored == Precision::half_precision ? 4 + reals * 2 : reals * 4;
}

class VectorCodec {
 public:
  // Codec for a field on the host that holds the even sites, in single or double precision, without halo.
  // `called`: what errors call its vectors, such as "near-null vector".
  VectorCodec(const Field& vectors, Precision stored, std::string called);

  void decode(std::int64_t first_row, std::int64_t rows, std::span<const std::byte> bytes);  // into the field
  void encode(std::int64_t first_row, std::int64_t rows, std::span<std::byte> bytes);

  // Collective. Throws an error of this kind, naming the first site and vector
  // with a number that is not finite.
  void check(const ProcessGrid& grid, ErrorKind kind, const std::string& path) const;

 private:
  static constexpr std::int64_t nowhere = INT64_MAX;

  // Calls visit(reals of the field at a site, their bytes) for every vector and
  // site; it says whether all are finite.
  template <class Kept, class Bytes, class Visit>
  void for_vectors(std::int64_t first_row, std::int64_t rows, Bytes* bytes, const Visit& visit);
  template <class Bytes, class Visit>
  void for_precision(std::int64_t first_row, std::int64_t rows, Bytes* bytes, const Visit& visit);

  const Field& vectors_;
  Precision stored_;
  std::string called_;
  std::int64_t not_finite_ = nowhere;  // vectors * (lexicographic number of the site) + vector
};

}  // namespace plaq

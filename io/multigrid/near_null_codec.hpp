// Between the records of files of multigrid setups and near-null vectors in host memory, with all host threads. Rows are
// this rank's rows of even sites along x in lexicographic order.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/system/error.hpp"

namespace plaq {

class NearNullCodec {
 public:
  // Of a field on the host that holds the even sites, in single or double precision, without halo.
  NearNullCodec(const Field& vectors, Precision stored);

  void decode(std::int64_t first_row, std::int64_t rows, std::span<const std::byte> bytes);  // into the field
  void encode(std::int64_t first_row, std::int64_t rows, std::span<std::byte> bytes);

  // Collective. Throws an error of this kind, naming the first site and vector with a number that is not finite.
  void check(const ProcessGrid& grid, ErrorKind kind, const std::string& path) const;

 private:
  static constexpr std::int64_t nowhere = INT64_MAX;

  // Calls visit(reals of the field at a site, their bytes) for every vector and site; it says whether all are finite.
  template <class Kept, class Bytes, class Visit>
  void for_vectors(std::int64_t first_row, std::int64_t rows, Bytes* bytes, const Visit& visit);
  template <class Bytes, class Visit>
  void for_precision(std::int64_t first_row, std::int64_t rows, Bytes* bytes, const Visit& visit);

  const Field& vectors_;
  Precision stored_;
  std::int64_t not_finite_ = nowhere;  // vectors * (lexicographic number of the site) + vector
};

}  // namespace plaq

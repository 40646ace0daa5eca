// Between the records of propagator files and a field in host memory, with all host threads. Rows are this
// rank's rows of x in lexicographic order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/system/error.hpp"
#include "io/propagator/propagator_file.hpp"

namespace plaq {

class PropagatorCodec {
 public:
  // Order of the numbers in the records of a file.
  struct Stored {
    SiteNumbers numbers = SiteNumbers::columns;
    Precision precision = Precision::double_precision;
    ByteOrder order = ByteOrder::big;
    StaggeredPhases phases = StaggeredPhases::xyzt;  // of staggered quarks
    SpinBasis basis = SpinBasis::degrand_rossi;      // of spinors
  };
  // `column`: records are of this one alone; those in FNAL's basis are then left to `rotate_from_fnal`.
  PropagatorCodec(const Field& propagator, const Stored& stored, std::optional<int> column = std::nullopt);

  void decode(std::int64_t first_row, std::int64_t rows, std::span<const std::byte> bytes);  // into the field
  void encode(std::int64_t first_row, std::int64_t rows, std::span<std::byte> bytes);

  // Collective. Throws an error of this kind, naming the first number in the file that is not finite there.
  void check(const ProcessGrid& grid, ErrorKind kind, const std::string& path) const;

 private:
  static constexpr std::int64_t nowhere = INT64_MAX;

  template <class Number, class Kept>
  void move(std::int64_t first_row, std::int64_t rows, std::byte* bytes, bool decoding);
  void choose(std::int64_t first_row, std::int64_t rows, std::byte* bytes, bool decoding);

  const Field& propagator_;
  Stored stored_;
  struct Place {
    int subfield, real;
    bool negative;  // as stored
  };
  std::vector<Place> places_;          // in the field, of the numbers of a record
  bool rotates_;                       // between FNAL's basis and the DeGrand-Rossi one
  bool changes_phases_;                // numbers are multiplied by (-1)^(t (x+y+z))
  std::int64_t not_finite_ = nowhere;  // reals of a site * (its lexicographic number) + number in the record
};

// Rotates all twelve columns, each read as it stands in a file of FNAL's. On this rank alone.
void rotate_from_fnal(Field& propagator);

}  // namespace plaq

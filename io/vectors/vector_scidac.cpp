#include "io/vectors/vector_scidac.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/lime/lime.hpp"
#include "io/vectors/vector_codec.hpp"

namespace plaq {
namespace {

std::string vector_data_type(const VectorKind& kind, Precision stored) {
  return fmt::format("PLAQ_{}{}", stored == Precision::half_precision ? 'H' : 'F', kind.type_end);
}

// Even sites, as a lattice.
Extents half_of(Extents extents) {
  extents[0] /= 2;
  return extents;
}

ScidacRecord record_of(const VectorKind& kind, const VectorShape& shape) {
  ScidacRecord record;
  record.datatype = vector_data_type(kind, shape.stored);
  record.precision =
      Precision::single_precision;  // words of four bytes: two integers of half precision make one
  record.spins = shape.spins;
  record.type_size = vector_bytes(shape.stored, shape.reals());
  record.data_count = shape.vectors;
  return record;
}

}  // namespace

int VectorShape::site_bytes() const { return vectors * vector_bytes(stored, reals()); }

bool is_scidac_of(const VectorKind& kind, const ByteSource& source) {
  const auto found = find_scidac_record(source);
  return found && found->datatype.ends_with(kind.type_end);
}

void expect_kind(const ScidacField& field, const VectorKind& kind) {
  const ScidacRecord& found = field.record();
  if (!found.datatype.ends_with(kind.type_end))
    field.refuse(lime_type::private_record,
                 fmt::format("expected {} (data type {}), found data type {}", kind.contents,
                             vector_data_type(kind, Precision::half_precision), found.datatype));
}

std::uint64_t expect_shape(const ScidacField& field, const VectorKind& kind, const VectorShape& shape) {
  const ScidacRecord& found = field.record();
  const ScidacRecord expected = record_of(kind, shape);
  if (found.datatype != expected.datatype || found.type_size != expected.type_size ||
      found.data_count != expected.data_count)
    field.refuse(lime_type::private_record,
                 fmt::format("expected {} objects of {} bytes a site ({}), found {} of {} ({})",
                             expected.data_count, expected.type_size, expected.datatype, found.data_count,
                             found.type_size, found.datatype));
  if (shape.extents[0] % 2 != 0 || field.extents() != half_of(shape.extents))
    field.refuse(lime_type::private_file, fmt::format("expected the even sites of {}, found a lattice of {}",
                                                      to_string(shape.extents), to_string(field.extents())));
  return field.expect_records(shape.site_bytes(), kind.called);
}

OwnText demand_own_text(const ScidacField& field, const OwnTextKind& kind, std::string_view older) {
  auto own = parse_own_text(kind, field.user_record());
  if (!own) field.refuse(lime_type::user_record, fmt::format("expected <{}>, found another text", kind.root));
  if (own->version != kind.version && (older.empty() || own->version != older))
    field.refuse(lime_type::user_record,
                 fmt::format("expected version {} of {}, found '{}': a newer plaq wrote it", kind.version,
                             kind.called, own->version.substr(0, 20)));
  return *std::move(own);
}

void expect_scidac(const ByteSource& source, std::string_view expected) {
  if (!is_lime(source))
    throw Error(ErrorKind::input_file, fmt::format("{}: {}: expected {}, in a SciDAC file", source.name(),
                                                   guess_contents(source), expected));
}

std::uint64_t bytes_of_vectors(const std::string& path, const VectorShape& shape) {
  return lattice_bytes(path, half_of(shape.extents), shape.site_bytes());
}

GaugeFileFrame frame_vectors(const VectorKind& kind, const VectorShape& shape, std::string_view file_title,
                             const std::string& user_record, const LinkChecksum& checksum) {
  return frame_scidac_field(half_of(shape.extents), record_of(kind, shape), file_title, user_record,
                            checksum);
}

}  // namespace plaq

#include "io/transformation/transformation_scidac.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "io/bytes/header_lines.hpp"
#include "io/gauge/file_guess.hpp"
#include "io/lime/lime.hpp"
#include "io/lime/scidac_field.hpp"

namespace plaq {
namespace {

constexpr std::string_view unnamed = "Lattice";  // QDP++: any field

std::string matrix_data_type(Precision precision) {
  return fmt::format("QDP_{}3_ColorMatrix", precision == Precision::single_precision ? 'F' : 'D');
}

void check_matrix_record(const ScidacField& field) {
  const ScidacRecord& found = field.record();
  const auto refuse = [&](const std::string& what) { field.refuse(lime_type::private_record, what); };
  const int size = transformation_matrices(found.precision).site_bytes();
  if (found.type_size != size || found.data_count != 1)
    refuse(fmt::format("expected one object of {} bytes a site, a gauge transformation, found {} of {}{}",
                       size, found.data_count, found.type_size,
                       found.site_bytes() == 4 * size    ? ", a gauge field"
                       : found.site_bytes() == 16 * size ? ", a propagator"
                                                         : ""));
  if (found.datatype != matrix_data_type(found.precision) && found.datatype != unnamed)
    refuse(fmt::format("expected the data type {} or {}, found {}", matrix_data_type(found.precision),
                       unnamed, found.datatype));
  if (found.colors != 3) refuse(fmt::format("expected 3 colors, found {}", found.colors));
}

std::vector<HeaderEntry> read_entries(const ScidacField& field) {
  const std::string text = field.user_record();
  if (const auto own = parse_transformation_info(text)) return entries_of_lines(lines_of(*own));
  if (text.empty()) return {};
  return {{std::string(lime_type::user_record), text}};
}

}  // namespace

bool is_scidac_transformation(const ByteSource& source) {
  const auto found = find_scidac_record(source);
  return found && found->site_bytes() == transformation_matrices(found->precision).site_bytes();
}

TransformationFileInfo inspect_scidac_transformation(const ByteSource& source) {
  if (!is_lime(source))
    throw Error(ErrorKind::input_file,
                fmt::format("{}: {}: expected a gauge transformation, in a SciDAC file", source.name(),
                            guess_contents(source)));
  ScidacField field(source, "a gauge transformation");
  check_matrix_record(field);
  TransformationFileInfo info;
  info.path = source.name();
  info.extents = field.extents();
  info.precision = field.record().precision;
  info.data_offset = field.data_offset();
  info.data_bytes =
      field.expect_records(transformation_matrices(info.precision).site_bytes(), "a gauge transformation");
  info.checksum = field.checksum();
  info.entries = read_entries(field);
  field.check_header_crc();
  info.warnings = field.warnings();
  return info;
}

GaugeFileFrame frame_scidac_transformation(const Extents& extents, Precision precision,
                                           const std::vector<HeaderEntry>& entries,
                                           const LinkChecksum& checksum) {
  std::string text;
  for (const auto& entry : entries) {
    if (const auto complaint = line_complaint(entry.key, entry.value))
      throw Error(ErrorKind::output_file, fmt::format("an entry of a gauge transformation: {}", *complaint));
    text += entry.key + " = " + entry.value + "\n";
  }
  check_user_text("the entries of a gauge transformation", text);
  ScidacRecord record;
  record.datatype = matrix_data_type(precision);
  record.precision = precision;
  record.spins = 4;
  record.type_size = transformation_matrices(precision).site_bytes();
  record.data_count = 1;
  return frame_scidac_field(extents, record, "gauge transformation", format_transformation_info(text),
                            checksum);
}

}  // namespace plaq

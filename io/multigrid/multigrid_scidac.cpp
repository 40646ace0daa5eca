#include "io/multigrid/multigrid_scidac.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "io/gauge/file_guess.hpp"
#include "io/gauge/links_size.hpp"
#include "io/lime/lime.hpp"
#include "io/lime/scidac_field.hpp"
#include "io/multigrid/multigrid_text.hpp"

namespace plaq {
namespace {

constexpr std::string_view contents = "the near-null vectors of a multigrid setup";
constexpr std::string_view data_type_end = "_NearNullVector";

std::string data_type(Precision stored) {
  return fmt::format("PLAQ_{}{}", stored == Precision::half_precision ? 'H' : 'F', data_type_end);
}

// Even sites, as a lattice.
Extents half_of(Extents extents) {
  extents[0] /= 2;
  return extents;
}

ScidacRecord record_of(const MultigridFileInfo& info) {
  ScidacRecord record;
  record.datatype = data_type(info.precision);
  record.precision =
      Precision::single_precision;  // words of four bytes: two integers of half precision make one
  record.spins = 4;
  record.type_size = near_null_bytes(info.precision);
  record.data_count = info.vectors;
  return record;
}

MultigridFileInfo read_text(const ScidacField& field, const ByteSource& source) {
  const auto own = parse_multigrid_text(field.user_record());
  if (!own) field.refuse(lime_type::user_record, "expected <MultigridSetup>, found another text");
  if (own->version != multigrid_text_version)
    field.refuse(lime_type::user_record,
                 fmt::format("expected version {} of multigrid setups, found '{}': a newer plaq wrote it",
                             multigrid_text_version, own->version.substr(0, 20)));
  return multigrid_info_from_text(own->text, source.name());
}

}  // namespace

bool is_scidac_multigrid(const ByteSource& source) {
  const auto found = find_scidac_record(source);
  return found && found->datatype.ends_with(data_type_end);
}

std::uint64_t near_null_vectors_bytes(const MultigridFileInfo& info) {
  return lattice_bytes(info.path, half_of(info.extents), info.vectors * near_null_bytes(info.precision));
}

MultigridFileInfo inspect_scidac_multigrid(const ByteSource& source) {
  if (!is_lime(source))
    throw Error(ErrorKind::input_file, fmt::format("{}: {}: expected a multigrid setup, in a SciDAC file",
                                                   source.name(), guess_contents(source)));
  ScidacField field(source, contents);
  const ScidacRecord& found = field.record();
  if (!found.datatype.ends_with(data_type_end))
    field.refuse(lime_type::private_record,
                 fmt::format("expected {} (data type {}), found data type {}", contents,
                             data_type(Precision::half_precision), found.datatype));
  const LinkChecksum checksum = field.demand_as_written();
  MultigridFileInfo info = read_text(field, source);
  info.path = source.name();
  info.checksum = checksum;
  const ScidacRecord expected = record_of(info);
  if (found.datatype != expected.datatype || found.type_size != expected.type_size ||
      found.data_count != expected.data_count)
    field.refuse(lime_type::private_record,
                 fmt::format("expected {} objects of {} bytes a site ({}), found {} of {} ({})",
                             expected.data_count, expected.type_size, expected.datatype, found.data_count,
                             found.type_size, found.datatype));
  if (info.extents[0] % 2 != 0 || field.extents() != half_of(info.extents))
    field.refuse(lime_type::private_file, fmt::format("expected the even sites of {}, found a lattice of {}",
                                                      to_string(info.extents), to_string(field.extents())));
  info.data_offset = field.data_offset();
  info.data_bytes = field.expect_records(info.vectors * near_null_bytes(info.precision), "near-null vectors");
  return info;
}

GaugeFileFrame frame_scidac_multigrid(const MultigridFileInfo& info, const LinkChecksum& checksum) {
  constexpr std::string_view name = "the text of a multigrid setup";
  check_user_text(name, info.setup.plaq_version);
  for (const auto& entry : info.setup.entries) check_user_text(name, entry.key + entry.value);
  const std::string text = to_text(info);
  check_user_text(name, text);
  try {
    const auto back = multigrid_info_from_text(text, std::string(name));
    if (back.setup.entries.size() != info.setup.entries.size())
      throw Error(ErrorKind::output_file, fmt::format("{}: two entries have one key", name));
  } catch (const Error& error) {
    throw Error(ErrorKind::output_file, error.what());
  }
  return frame_scidac_field(half_of(info.extents), record_of(info), "multigrid setup",
                            format_multigrid_text(text), checksum);
}

}  // namespace plaq

#include "io/multigrid/multigrid_scidac.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "io/gauge/file_guess.hpp"
#include "io/lime/lime.hpp"
#include "io/lime/scidac_field.hpp"
#include "io/multigrid/multigrid_text.hpp"

namespace plaq {
namespace {

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

VectorShape shape_of(const MultigridFileInfo& info) {
  return {info.extents, info.vectors, 4, info.precision};
}

bool is_scidac_multigrid(const ByteSource& source) { return is_scidac_of(near_null_kind, source); }

std::uint64_t near_null_vectors_bytes(const MultigridFileInfo& info) {
  return bytes_of_vectors(info.path, shape_of(info));
}

MultigridFileInfo inspect_scidac_multigrid(const ByteSource& source) {
  if (!is_lime(source))
    throw Error(ErrorKind::input_file, fmt::format("{}: {}: expected a multigrid setup, in a SciDAC file",
                                                   source.name(), guess_contents(source)));
  ScidacField field(source, near_null_kind.contents);
  expect_kind(field, near_null_kind);
  const LinkChecksum checksum = field.demand_as_written();
  MultigridFileInfo info = read_text(field, source);
  info.path = source.name();
  info.checksum = checksum;
  info.data_offset = field.data_offset();
  info.data_bytes = expect_shape(field, near_null_kind, shape_of(info));
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
  return frame_vectors(near_null_kind, shape_of(info), "multigrid setup", format_multigrid_text(text),
                       checksum);
}

}  // namespace plaq

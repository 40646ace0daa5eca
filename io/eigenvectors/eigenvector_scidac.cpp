#include "io/eigenvectors/eigenvector_scidac.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "io/eigenvectors/eigenvector_text.hpp"
#include "io/gauge/file_guess.hpp"
#include "io/lime/lime.hpp"

namespace plaq {
namespace {

EigenvectorFileInfo read_eigenvector_text(const ScidacField& field, const ByteSource& source) {
  const auto own = parse_eigenvector_text(field.user_record());
  if (!own) field.refuse(lime_type::user_record, "expected <Eigenvectors>, found another text");
  if (own->version != eigenvector_text_version)
    field.refuse(lime_type::user_record,
                 fmt::format("expected version {} of eigenvectors, found '{}': a newer plaq wrote it",
                             eigenvector_text_version, own->version.substr(0, 20)));
  return eigenvector_info_from_text(own->text, source.name());
}

}  // namespace

VectorShape shape_of(const EigenvectorFileInfo& info) {
  return {info.extents, info.modes * info.slices, info.spins, info.precision};
}

bool is_scidac_eigenvectors(const ByteSource& source) { return is_scidac_of(eigenvector_kind, source); }

EigenvectorFileInfo inspect_scidac_eigenvectors(const ByteSource& source) {
  if (!is_lime(source))
    throw Error(ErrorKind::input_file, fmt::format("{}: {}: expected eigenvectors, in a SciDAC file",
                                                   source.name(), guess_contents(source)));
  ScidacField field(source, eigenvector_kind.contents);
  expect_kind(field, eigenvector_kind);
  const LinkChecksum checksum = field.demand_as_written();
  EigenvectorFileInfo info = read_eigenvector_text(field, source);
  info.path = source.name();
  info.checksum = checksum;
  info.data_offset = field.data_offset();
  info.data_bytes = expect_shape(field, eigenvector_kind, shape_of(info));
  return info;
}

GaugeFileFrame frame_scidac_eigenvectors(const EigenvectorFileInfo& info, const LinkChecksum& checksum) {
  constexpr std::string_view name = "the text of eigenvectors";
  const std::string text = to_text(info);
  check_user_text(name, text);
  try {
    const auto back = eigenvector_info_from_text(text, std::string(name)).info;
    if (back.entries.size() != info.info.entries.size() ||
        back.operator_entries.size() != info.info.operator_entries.size())
      throw Error(ErrorKind::output_file, fmt::format("{}: two entries have one key", name));
  } catch (const Error& error) {
    throw Error(ErrorKind::output_file, error.what());
  }
  return frame_vectors(eigenvector_kind, shape_of(info), "eigenvectors", format_eigenvector_text(text),
                       checksum);
}

}  // namespace plaq

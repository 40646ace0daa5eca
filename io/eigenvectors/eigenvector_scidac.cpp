#include "io/eigenvectors/eigenvector_scidac.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/lime/json_text.hpp"
#include "io/lime/lime.hpp"

namespace plaq {
namespace {

EigenvectorFileInfo read_eigenvector_text(const ScidacField& field, const ByteSource& source) {
  return eigenvector_info_from_text(demand_own_text(field, eigenvector_text).text, source.name());
}

}  // namespace

VectorShape shape_of(const EigenvectorFileInfo& info) {
  return {info.extents, info.modes * info.Ls, info.spins, info.precision};
}

bool is_scidac_eigenvectors(const ByteSource& source) { return is_scidac_of(eigenvector_kind, source); }

EigenvectorFileInfo inspect_scidac_eigenvectors(const ByteSource& source) {
  return inspect_vectors(source, eigenvector_kind, "eigenvectors", read_eigenvector_text);
}

GaugeFileFrame frame_scidac_eigenvectors(const EigenvectorFileInfo& info, const LinkChecksum& checksum) {
  constexpr std::string_view name = "the text of eigenvectors";
  const std::string text =
      checked_own_text(name, to_text(info), info.info, [](const std::string& back, const std::string& place) {
        return eigenvector_info_from_text(back, place).info;
      });
  return frame_vectors(eigenvector_kind, shape_of(info), "eigenvectors",
                       format_own_text(eigenvector_text, text), checksum);
}

namespace {

constexpr int most_modes = 1 << 16;

template <class Archive, class Info>
void visit_eigenvectors(Archive& archive, Info& file) {
  auto& info = file.info;
  archive("plaq_version", info.plaq_version);
  archive("lattice", file.extents, 1, largest_extent);
  archive.constant("sites", "even");
  archive("modes", file.modes, 1, most_modes);
  archive("spins", file.spins, 1, 4);
  archive("slices", file.Ls, 1, most_slices);
  archive("precision", file.precision);
  archive("operator", info.operator_entries);
  archive("links_checksum", info.links);
  archive("eigenvalues", info.values);
  archive("error_bounds", info.bounds);
  archive("entries", info.entries);
}

}  // namespace

std::string to_text(const EigenvectorFileInfo& info) {
  JsonTextWriter writer;
  visit_eigenvectors(writer, info);
  return writer.text();
}

EigenvectorFileInfo eigenvector_info_from_text(std::string_view text, const std::string& place) {
  EigenvectorFileInfo file;
  JsonTextReader reader(text, place, "eigenvectors");
  visit_eigenvectors(reader, file);
  const auto modes = static_cast<std::size_t>(file.modes);
  const auto& values = file.info.values;
  if (values.size() != modes || std::any_of(values.begin(), values.end(), [](double l) { return l <= 0; }))
    reader.fail("eigenvalues", "a positive number for each mode");
  if (file.info.bounds.size() != modes) reader.fail("error_bounds", "a number for each mode");
  if (file.spins != 4 && file.spins != 1) reader.fail("spins", "4 or 1");
  return file;
}

}  // namespace plaq

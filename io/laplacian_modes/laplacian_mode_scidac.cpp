#include "io/laplacian_modes/laplacian_mode_scidac.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "io/lime/json_text.hpp"
#include "io/lime/lime.hpp"

namespace plaq {
namespace {

constexpr int most_laplacian_modes = 1 << 16;

template <class Archive, class Info>
void visit_laplacian_modes(Archive& archive, Info& file) {
  auto& info = file.info;
  archive("plaq_version", info.plaq_version);
  archive("lattice", file.extents, 1, largest_extent);
  archive.constant("sites", "pairs of an even and an odd site");
  archive.constant("phases", "color 0 at (0, 0, 0) of each slice is real and not negative");
  archive("modes", file.modes, 1, most_laplacian_modes);
  archive("precision", file.precision);
  archive("operator", info.operator_entries);
  archive("links_checksum", info.links);
  archive("eigenvalues", info.values);
  archive("error_bounds", info.bounds);
  archive("entries", info.entries);
}

LaplacianModeFileInfo read_laplacian_mode_text(const ScidacField& field, const ByteSource& source) {
  return laplacian_mode_info_from_text(demand_own_text(field, laplacian_mode_text).text, source.name());
}

}  // namespace

VectorShape shape_of(const LaplacianModeFileInfo& info) {
  return {info.extents, 2 * info.modes, 1, info.precision};
}

bool is_scidac_laplacian_modes(const ByteSource& source) { return is_scidac_of(laplacian_mode_kind, source); }

LaplacianModeFileInfo inspect_scidac_laplacian_modes(const ByteSource& source) {
  return inspect_vectors(source, laplacian_mode_kind, "modes of the Laplacian", read_laplacian_mode_text);
}

GaugeFileFrame frame_scidac_laplacian_modes(const LaplacianModeFileInfo& info, const LinkChecksum& checksum) {
  constexpr std::string_view name = "the text of modes of the Laplacian";
  const std::string text =
      checked_own_text(name, to_text(info), info.info, [](const std::string& back, const std::string& place) {
        return laplacian_mode_info_from_text(back, place).info;
      });
  return frame_vectors(laplacian_mode_kind, shape_of(info), "modes of the Laplacian",
                       format_own_text(laplacian_mode_text, text), checksum);
}

std::string to_text(const LaplacianModeFileInfo& info) {
  JsonTextWriter writer;
  visit_laplacian_modes(writer, info);
  return writer.text();
}

LaplacianModeFileInfo laplacian_mode_info_from_text(std::string_view text, const std::string& place) {
  LaplacianModeFileInfo file;
  JsonTextReader reader(text, place, "modes of the Laplacian");
  visit_laplacian_modes(reader, file);
  const auto modes = static_cast<std::size_t>(file.modes);
  const std::size_t all = modes * static_cast<std::size_t>(file.extents[3]);
  const auto& values = file.info.values;
  if (values.size() != all) reader.fail("eigenvalues", "a number for each mode of each time slice");
  for (std::size_t i = 0; i < all; ++i)
    if (i % modes != 0 && values[i] < values[i - 1])
      reader.fail("eigenvalues", "numbers that ascend on each time slice");
  if (file.info.bounds.size() != all)
    reader.fail("error_bounds", "a number for each mode of each time slice");
  return file;
}

}  // namespace plaq

#include "io/eigenvectors/eigenvector_text.hpp"

#include <algorithm>

#include "io/gauge/links_size.hpp"
#include "io/lime/json_text.hpp"

namespace plaq {
namespace {

constexpr int most_modes = 1 << 16, most_slices = 1 << 10;

template <class Archive, class Info>
void visit_eigenvectors(Archive& archive, Info& file) {
  auto& info = file.info;
  archive("plaq_version", info.plaq_version);
  archive("lattice", file.extents, 1, largest_extent);
  archive.constant("sites", "even");
  archive("modes", file.modes, 1, most_modes);
  archive("spins", file.spins, 1, 4);
  archive("slices", file.slices, 1, most_slices);
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

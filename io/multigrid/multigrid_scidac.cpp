#include "io/multigrid/multigrid_scidac.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/lime/json_text.hpp"
#include "io/lime/lime.hpp"
#include "io/lime/scidac_field.hpp"
#include "io/vectors/operator_entries.hpp"

namespace plaq {
namespace {

// Texts of this version are of Wilson and clover quarks alone, with a key for each of their parameters.
constexpr std::string_view version_of_wilson = "1.0";

MultigridFileInfo read_text(const ScidacField& field, const ByteSource& source) {
  const OwnText own = demand_own_text(field, multigrid_text, version_of_wilson);
  return multigrid_info_from_text(own.text, source.name(), own.version);
}

}  // namespace

VectorShape shape_of(const MultigridFileInfo& info) {
  return {info.extents, info.vectors * info.Ls, 4, info.precision};
}

bool is_scidac_multigrid(const ByteSource& source) { return is_scidac_of(near_null_kind, source); }

std::uint64_t near_null_vectors_bytes(const MultigridFileInfo& info) {
  return bytes_of_vectors(info.path, shape_of(info));
}

MultigridFileInfo inspect_scidac_multigrid(const ByteSource& source) {
  return inspect_vectors(source, near_null_kind, "a multigrid setup", read_text);
}

GaugeFileFrame frame_scidac_multigrid(const MultigridFileInfo& info, const LinkChecksum& checksum) {
  constexpr std::string_view name = "the text of a multigrid setup";
  check_user_text(name, info.setup.plaq_version);
  for (const auto& entry : info.setup.entries) check_user_text(name, entry.key + entry.value);
  const std::string text = checked_own_text(name, to_text(info), info.setup,
                                            [](const std::string& back, const std::string& place) {
                                              return multigrid_info_from_text(back, place).setup;
                                            });
  return frame_vectors(near_null_kind, shape_of(info), "multigrid setup",
                       format_own_text(multigrid_text, text), checksum);
}

namespace {

using Json = nlohmann::ordered_json;

constexpr int most_vectors = 1 << 12, most_levels = 64, most_count = 1 << 30;

class SetupWriter : public JsonTextWriter {
 public:
  using JsonTextWriter::operator();
  void operator()(const char* key, const std::vector<MultigridLevelInfo>& levels) {
    json_[key] = Json::array();
    for (const auto& level : levels)
      json_[key].push_back({{"block", level.block},
                            {"vectors", level.vectors},
                            {"smoothing_steps", level.smoothing_steps},
                            {"coarse_tolerance", level.coarse_tolerance},
                            {"coarse_iterations", level.coarse_iterations}});
  }
};

class SetupReader : public JsonTextReader {
 public:
  SetupReader(std::string_view text, const std::string& place, std::string_view version)
      : JsonTextReader(text, place, "a multigrid setup"), version_(version) {}
  std::string_view version() const { return version_; }
  using JsonTextReader::operator();
  void operator()(const char* key, std::vector<MultigridLevelInfo>& levels) {
    levels.clear();
    for (const Json& found : list(key, most_levels)) {
      if (!found.is_object()) fail(key, "a list of blocks and vectors");
      MultigridLevelInfo& level = levels.emplace_back();
      read_four(key, member(found, "block"), level.block, 1, largest_extent);
      level.vectors = integer(key, member(found, "vectors"), 1, most_vectors);
      level.smoothing_steps = integer(key, member(found, "smoothing_steps"), 0, most_count);
      level.coarse_tolerance = number(key, member(found, "coarse_tolerance"));
      level.coarse_iterations = integer(key, member(found, "coarse_iterations"), 0, most_count);
    }
  }

 private:
  std::string_view version_;
};

void read_wilson_operator(SetupReader& reader, std::vector<HeaderEntry>& entries) {
  const auto number = [&](const char* key) {
    double value = 0;
    reader(key, value);
    return number_entry(key, value);
  };
  entries = {number("mass"), number("xi"), number("nu"), number("clover_spatial"), number("clover_temporal")};
  const bool has_clover = entries[3].value != "0" || entries[4].value != "0";
  bool exponential = false;
  reader.optional("exponential_clover", exponential);
  entries.insert(entries.begin(),
                 {"type", exponential ? "exponential_clover" : (has_clover ? "clover" : "wilson")});
  std::array<int, 4> boundary{};
  reader("boundary", boundary, -1, 1);
  entries.push_back(boundary_entry(boundary));
  double twisted_mass = 0;
  reader.optional("twisted_mass", twisted_mass);
  if (twisted_mass != 0) entries.push_back(number_entry("twisted_mass", twisted_mass));
}

void visit_operator(JsonTextWriter& writer, const MultigridFileInfo& info) {
  writer("slices", info.Ls);
  writer("operator", info.setup.operator_entries);
}

void visit_operator(SetupReader& reader, MultigridFileInfo& info) {
  if (reader.version() == version_of_wilson) return read_wilson_operator(reader, info.setup.operator_entries);
  reader("slices", info.Ls, 1, most_slices);
  reader("operator", info.setup.operator_entries);
}

template <class Archive, class Info>
void visit_members(Archive& archive, Info& info) {
  auto& setup = info.setup;
  archive("plaq_version", setup.plaq_version);
  archive("lattice", info.extents, 1, largest_extent);
  archive.constant("sites", "even");
  archive("vectors", info.vectors, 1, most_vectors);
  archive("precision", info.precision);
  archive("levels", setup.levels);
  visit_operator(archive, info);
  archive("links_checksum", setup.links);
  archive("seed", setup.seed);
  archive("filter_iterations", setup.filter_iterations, 0, most_count);
  archive("coarse_filter_iterations", setup.coarse_filter_iterations, 0, most_count);
  archive("omega", setup.omega);
  archive("rounds", setup.rounds, 0, most_count);
  archive("finished", setup.finished);
  archive("reductions", setup.reductions);
  archive("entries", setup.entries);
}

}  // namespace

std::string to_text(const MultigridFileInfo& info) {
  SetupWriter writer;
  visit_members(writer, info);
  return writer.text();
}

MultigridFileInfo multigrid_info_from_text(std::string_view text, const std::string& place,
                                           std::string_view version) {
  MultigridFileInfo info;
  SetupReader reader(text, place, version);
  visit_members(reader, info);
  return info;
}

}  // namespace plaq

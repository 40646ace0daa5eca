#include "io/multigrid/multigrid_text.hpp"

#include "io/gauge/links_size.hpp"
#include "io/lime/json_text.hpp"

namespace plaq {
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
  using JsonTextReader::JsonTextReader;
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
};

template <class Archive, class Info>
void visit_members(Archive& archive, Info& info) {
  auto& setup = info.setup;
  auto& action = setup.action;
  archive("plaq_version", setup.plaq_version);
  archive("lattice", info.extents, 1, largest_extent);
  archive.constant("sites", "even");
  archive("vectors", info.vectors, 1, most_vectors);
  archive("precision", info.precision);
  archive("levels", setup.levels);
  archive("mass", action.mass);
  archive("xi", action.xi);
  archive("nu", action.nu);
  archive("clover_spatial", action.clover.spatial);
  archive("clover_temporal", action.clover.temporal);
  archive("boundary", action.boundary, -1, 1);
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

MultigridFileInfo multigrid_info_from_text(std::string_view text, const std::string& place) {
  MultigridFileInfo info;
  SetupReader reader(text, place, "a multigrid setup");
  visit_members(reader, info);
  return info;
}

}  // namespace plaq

// Files that belong to gauge fields: DIRECTORY/FIELD.ENDING, FIELD being the gauge file's name. Serial.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quarks/multigrid/multigrid_options.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

inline constexpr std::string_view setup_ending = ".mg.lime", modes_ending = ".eig.lime",
                                  laplacian_modes_ending = ".lap.lime";

std::string field_file(const std::string& directory, const std::string& gauge_file, std::string_view ending);
// One a field; none without a directory. Throws Error(job_file) where two fields would have one.
std::vector<std::string> field_files(const Settings& settings, const std::string& directory,
                                     const std::vector<std::string>& gauge_files, std::string_view ending);

// Keys of [multigrid] for the files of its setups, beside those of quarks/multigrid/multigrid_options.hpp.
struct SetupKeys {
  std::string directory;  // empty: none
  bool refresh = false;
  double checkpoint_minutes = 1;
};
enum class SetupsKept { where_asked, always };
std::vector<Key> setup_keys(SetupsKept kept);
Rule setup_rule();

/// Names the setup of a gauge field, and that of the field before it; all empty without a directory.
SetupPaths setup_paths(const Settings& settings, const std::vector<std::string>& gauge_files,
                       const std::string& gauge_file);

}  // namespace plaq::settings

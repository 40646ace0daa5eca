// Keys of [multigrid] for the files of its setups, beside those of quarks/multigrid/multigrid_options.hpp.
#pragma once

#include <string>
#include <vector>

#include "quarks/multigrid/setup_paths.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

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

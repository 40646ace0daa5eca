// The keys of campaign.toml.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/use_settings.hpp"

namespace plaq::jobs {

// With a table [task.NAME] for each of these.
Schema campaign_schema(const std::vector<std::string>& tasks);

}  // namespace plaq::jobs

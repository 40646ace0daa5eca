// Programs that work on a campaign go into its directory.
#pragma once

#include <string>

#include "jobs/campaign/campaign.hpp"

namespace plaq::jobs {

// Throws what Campaign::read does, and Error(usage) where `directory` is none or has no campaign.toml.
Campaign enter_campaign(const std::string& directory);
// Collective over all ranks: rank 0 reads for all.
Campaign enter_campaign_together(const std::string& directory);

}  // namespace plaq::jobs

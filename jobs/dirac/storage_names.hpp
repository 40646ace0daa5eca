// The storages there are, and their names as name_of(LinkStorage) writes them.
#pragma once

#include <vector>

#include "jobs/schema/job_file.hpp"
#include "kernels/gauge/link_storage.hpp"

namespace plaq::jobs {

// 18, 12 and 8 reals in double, single and half precision.
const std::vector<LinkStorage>& all_storages();
const Names<LinkStorage>& storage_names();  // "half 12" and the like

}  // namespace plaq::jobs

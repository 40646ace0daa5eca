// Rates of operators whose faces travel with checksums ([comms] halo_checksums) are other rates.
#pragma once

#include <string_view>

namespace plaq::jobs {

// A line of reports, behind an empty one.
inline constexpr std::string_view checked_faces_text =
    "\nmeasured with checksums of all faces (halo_checksums): exchanges take longer, and no launch is "
    "fused\n";

}  // namespace plaq::jobs

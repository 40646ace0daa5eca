// Tells if the process counts instead of computing (core/system/dry_run.hpp), for those that only ask.
#pragma once

namespace plaq {

class DryRun;

namespace detail {
extern DryRun* current_dry_run;
}

inline bool runs_dry() { return detail::current_dry_run != nullptr; }

}  // namespace plaq

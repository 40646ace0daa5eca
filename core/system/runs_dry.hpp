// Questions of code that may be run dry, counting instead of computing (core/system/dry_run.hpp).
#pragma once

#include <utility>

namespace plaq {

class DryRun;

namespace detail {
extern DryRun* current_dry_run;
}

inline bool runs_dry() { return detail::current_dry_run != nullptr; }

// Work on numbers of fields and buffers, which a dry run does not have: done at once. A dry run leaves it
// out, as it leaves out launches.
template <class F>
void on_numbers(F&& work) {
  if (!runs_dry()) std::forward<F>(work)();
}

// Decisions by computed numbers. A dry run assumes a value in their place, so that code goes on as with good
// data.
template <class T>
T by_data(T found, T assumed) {
  return runs_dry() ? assumed : found;
}

}  // namespace plaq

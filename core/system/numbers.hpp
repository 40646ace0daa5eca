// Numbers of fields and buffers, which a dry run does not have (core/system/dry_run.hpp).
#pragma once

#include <utility>

#include "core/system/runs_dry.hpp"

namespace plaq {

// Work on numbers, done at once: a dry run leaves it out, as it leaves out launches.
template <class F>
void on_numbers(F&& work) {
  if (!runs_dry()) std::forward<F>(work)();
}

// Decisions by computed numbers. A dry run assumes a value in their place, so
// that code goes on as with good data.
template <class T>
T by_data(T found, T assumed) {
  return runs_dry() ? assumed : found;
}

}  // namespace plaq

// The text of a tuning file: what the tuner (core/launch/tuning.hpp) found out, for users and for later
// runs. JSON lines: the first one says what file it is, each further one is an entry (written in one line):
//
//   {"format":"plaq tuning","version":1}
//   {"kernel":"wilson_hop","storage":"single","local":[8,8,8,16],"partitioned":"zt","batch":12,
//    "launch":{"block":128,"width":3},"us":12.25,"default_us":15.5,"device":"NVIDIA H200",
//    "driver":"CUDA driver 12.4, runtime 12.2","build":"0.1.0+g0123456789
//    89abcdef","date":"2026-01-31T23:59:59Z"}
//
// us, default_us: microseconds of the launch and of the untuned default (0: that cannot run). An entry holds
// for its device, driver and build only, so that one file serves all machines that share a home directory.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch/tuning.hpp"

namespace plaq {

inline constexpr int tuning_version = 1;
inline constexpr std::size_t most_tuning_bytes = 16 << 20, most_tuning_entries = 8192;

struct TuningText {
  enum class State {
    good,     // or empty
    foreign,  // no tuning file
    newer,    // of a later version
    damaged,  // a line is cut off, or not what plaq writes: nothing in it is believed
  };
  State state = State::good;
  std::vector<TuneEntry> entries;  // of a good file
  std::string problem;             // "FILE:LINE: what is wrong"
};
TuningText parse_tuning(const std::string& name, std::string_view text);

std::string tuning_text(std::span<const TuneEntry> entries);

// Do they tell the same case, kernel and all, on the same machine?
bool same_case(const TuneEntry& a, const TuneEntry& b);

// Both, sorted, each key and machine once: `ours` wins. Where that is too much, the oldest are dropped.
std::vector<TuneEntry> merge_tuning(std::vector<TuneEntry> theirs, std::span<const TuneEntry> ours);

}  // namespace plaq

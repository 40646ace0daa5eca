#include "core/system/tape_counts.hpp"

#include <algorithm>

namespace plaq {
namespace {

TapeCounts* current_counts = nullptr;

}  // namespace

TapeCounts* TapeCounts::current() { return current_counts; }
TapeCounts::Scope::Scope(TapeCounts& counts) { current_counts = &counts; }
TapeCounts::Scope::~Scope() { current_counts = nullptr; }

void TapeCounts::begin_pass(const std::string& section) {
  open_.push_back(section);
  pass_again(section, 1);
}

void TapeCounts::pass_again(const std::string& section, std::int64_t passes) {
  if (!fields_.empty()) fields_.back().sections[section].passes += passes;
}

void TapeCounts::begin_loop(TapeRepeats repeats) {
  if (fields_.empty() || open_.empty()) return;
  Count& count = fields_.back().sections[open_.back()];
  count.repeats = repeats;
  ++count.loops;
}

void TapeCounts::other(const TapeStep& step, int ranks) {
  if (fields_.empty() || apart_ > 0) return;
  Tape::Section& others = fields_.back().others;
  others.ranks = ranks;
  const auto same = std::find_if(others.rows.begin(), others.rows.end(),
                                 [&](const Tape::Row& row) { return row.step == step; });
  if (same != others.rows.end()) {
    ++same->count;
  } else {
    others.rows.push_back({step, 1});
  }
}

void count_loop(TapeRepeats repeats) {
  if (current_counts != nullptr) current_counts->begin_loop(repeats);
}

TapeApart::TapeApart() {
  if (current_counts != nullptr) ++current_counts->apart_;
}
TapeApart::~TapeApart() {
  if (current_counts != nullptr) --current_counts->apart_;
}

}  // namespace plaq

#include "core/system/tape.hpp"

#include <algorithm>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/tape_counts.hpp"

namespace plaq {

bool TapeFaces::any() const {
  return std::any_of(bytes.begin(), bytes.end(), [](double b) { return b > 0; });
}

void Tape::add(const TapeStep& step) {
  if (open_.empty()) {
    if (TapeCounts* counts = TapeCounts::current()) counts->other(step, ranks_);
    return;
  }
  auto& rows = sections_[open_.back()].rows;
  const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.step == step; });
  if (same != rows.end()) {
    ++same->count;
  } else {
    rows.push_back({step, 1});
  }
}

const Tape::Section* Tape::find(std::string_view name) const {
  const auto at =
      std::find_if(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == name; });
  return at == sections_.end() ? nullptr : &*at;
}

TapeLabel::TapeLabel(std::string_view label) {
  if (!runs_dry()) return;
  tape_ = &DryRun::current()->tape();
  tape_->labels_.emplace_back(label);
}

TapeLabel::~TapeLabel() {
  if (tape_ != nullptr) tape_->labels_.pop_back();
}

TapeSection::TapeSection(std::string_view own_name) {
  if (!runs_dry()) return;
  tape_ = &DryRun::current()->tape();
  std::string name;
  for (const std::string& label : tape_->labels_) name += label + ": ";
  name += own_name;
  auto& all = tape_->sections_;
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Tape::Section& s) { return s.name == name; });
  tape_->open_.push_back(static_cast<std::size_t>(at - all.begin()));
  if (at == all.end()) all.push_back({std::move(name), tape_->ranks_, 0, {}});
  Tape::Section& section = all[tape_->open_.back()];
  ++section.passes;
  if (TapeCounts* counts = TapeCounts::current()) counts->begin_pass(section.name);
}

TapeSection::~TapeSection() {
  if (tape_ == nullptr) return;
  tape_->open_.pop_back();
  if (TapeCounts* counts = TapeCounts::current()) counts->end_pass();
}

}  // namespace plaq

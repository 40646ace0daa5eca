#include "core/system/dry_run.hpp"

#include <algorithm>

namespace plaq {

// The innermost label counts.
std::int64_t DryRun::Assumptions::iterations_in(const std::string& region) const {
  std::int64_t found = iterations;
  std::size_t innermost = 0;
  const std::string in = ": " + region;
  for (const auto& [label, count] : iterations_of)
    if (const auto at = in.find(": " + label + ": "); at != std::string::npos && at >= innermost) {
      innermost = at;
      found = count;
    }
  return found;
}

DryRun* detail::current_dry_run = nullptr;

void DryRun::add_file(const DryFile& file) {
  const auto known =
      std::find_if(files_.begin(), files_.end(), [&](const DryFile& f) { return f.name == file.name; });
  if (known == files_.end()) {
    files_.push_back(file);
  } else {
    known->bytes = std::max(known->bytes, file.bytes);
    known->temporary = known->temporary || file.temporary;
  }
}

void DryRun::note(std::string text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(std::move(text));
}

std::string memory_name(std::string_view what) {
  const DryRun* run = DryRun::current();
  if (run == nullptr || run->names_.empty()) return std::string(what);
  return run->names_.back() + (what.empty() ? "" : ": ") + std::string(what);
}

CountedMemory::~CountedMemory() {
  if (run_ != nullptr) run_->memory().leave(entry_);
}

CountedMemory::CountedMemory(std::string_view what, std::size_t bytes, Location location,
                             MemoryItem::Kind kind)
    : run_(DryRun::current()) {
  if (run_ != nullptr) entry_ = run_->memory().enter({std::string(what), bytes, location, kind});
}

}  // namespace plaq

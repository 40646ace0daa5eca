// Memory of a dry run (core/system/dry_run.hpp) that no Buffer takes.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "core/system/ledger.hpp"
#include "core/system/location.hpp"

namespace plaq {

class DryRun;

// Memory that is no Buffer, in the ledger of a dry run for as long as this lives; nothing elsewhere.
class CountedMemory {
 public:
  CountedMemory() = default;
  CountedMemory(std::string_view what, std::size_t bytes, Location location = Location::host,
                MemoryItem::Kind kind = MemoryItem::Kind::container);
  CountedMemory(CountedMemory&& other) noexcept
      : run_(std::exchange(other.run_, nullptr)), entry_(other.entry_) {}
  CountedMemory& operator=(CountedMemory&& other) noexcept {
    std::swap(run_, other.run_);
    std::swap(entry_, other.entry_);
    return *this;
  }
  ~CountedMemory();

 private:
  DryRun* run_ = nullptr;
  Ledger::Entry entry_{};
};

}  // namespace plaq

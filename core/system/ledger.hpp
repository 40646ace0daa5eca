// Ledger of the memory that a process holds, by name, and of the most that it held. For dry runs
// (core/system/dry_run.hpp), where memory is counted and not taken.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "core/system/location.hpp"

namespace plaq {

struct MemoryItem {
  enum class Kind {
    buffer,     // a Buffer, which counts it in a real run as well
    lasting,    // memory that other GPUs see: given back, it waits for the next that takes as much
    container,  // of the standard library, not counted in a real run
  };
  std::string name;
  std::size_t bytes = 0;
  Location location = Location::host;
  Kind kind = Kind::buffer;
};

class Ledger {
 public:
  // The most that was held at once at one location.
  struct Peak {
    std::size_t bytes = 0;
    std::size_t buffer_bytes = 0;  // the most of buffers alone, maybe at another time
    std::string phase;
    std::vector<MemoryItem> items;  // those of one name are added up
  };
  using Entry = std::list<MemoryItem>::iterator;

  // Begins a phase; returns the one before.
  std::string phase(std::string name) { return std::exchange(phase_, std::move(name)); }
  Entry enter(MemoryItem item);
  void leave(Entry entry);
  const Peak& peak(Location location) const { return peaks_[location == Location::device]; }

 private:
  void look(Location location);

  std::string phase_ = "starting";
  std::list<MemoryItem> items_, waiting_;  // waiting_: lasting memory that nobody uses now
  std::size_t all_[2] = {0, 0}, buffers_[2] = {0, 0};
  Peak peaks_[2];
};

}  // namespace plaq

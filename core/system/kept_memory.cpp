#include "core/system/kept_memory.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <mutex>

namespace plaq {
namespace kept_memory {
namespace {

struct Block {
  Kind kind;
  void* memory;
};

// Taking it from the system lasts as long as a measurement: so many blocks are always kept, and all of them
// while a MemoryReuse lives.
constexpr std::size_t most_small = 256;
bool is_small_and_slow(const Kind& kind) {
  return kind.bytes <= (std::size_t{64} << 10) && (kind.location == Location::device || kind.pinned);
}

struct Kept {
  std::mutex mutex;
  std::deque<Block> blocks;  // what was freed first stands first
  std::deque<Block> small;   // small and slow ones, which are not counted
  std::size_t bytes[2] = {0, 0};
  int users = 0;

  std::size_t& at(Location location) { return bytes[location == Location::device]; }
  // Frees the oldest blocks of a location until at most so many bytes are left.
  void shrink(Location location, std::size_t most) {
    for (auto block = blocks.begin(); block != blocks.end() && at(location) > most;) {
      if (block->kind.location != location) {
        ++block;
        continue;
      }
      at(location) -= block->kind.bytes;
      give_back(block->kind, block->memory);
      block = blocks.erase(block);
    }
  }
};

// Lives until the end of the process: buffers may be freed after everything else.
Kept& kept() {
  static auto* const all = new Kept;
  return *all;
}

}  // namespace

void* take(const Kind& kind) {
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  const bool small = is_small_and_slow(kind);
  auto& blocks = small ? all.small : all.blocks;
  const auto found =
      std::find_if(blocks.rbegin(), blocks.rend(), [&](const Block& block) { return block.kind == kind; });
  if (found == blocks.rend()) return nullptr;
  void* memory = found->memory;
  blocks.erase(std::next(found).base());
  if (!small) all.at(kind.location) -= kind.bytes;
  return memory;
}

void shrink(Location location, std::size_t most) {
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  all.shrink(location, most);
}

bool keep(const Kind& kind, void* memory) {
  Kept& all = kept();
  const bool small = is_small_and_slow(kind);
  {
    const std::lock_guard lock(all.mutex);
    if (all.users == 0 && !small) return false;
  }
  wait_until_unused(kind);
  const std::lock_guard lock(all.mutex);
  if (small) {
    all.small.push_back({kind, memory});
    while (all.users == 0 && all.small.size() > most_small) {
      give_back(all.small.front().kind, all.small.front().memory);
      all.small.pop_front();
    }
    return true;
  }
  if (all.users == 0) return false;  // the last one went meanwhile
  all.blocks.push_back({kind, memory});
  all.at(kind.location) += kind.bytes;
  return true;
}

std::size_t bytes(Location location) {
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  return all.at(location);
}

void add_user(int change) {
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  all.users += change;
  if (all.users == 0)
    for (const Location location : {Location::host, Location::device}) all.shrink(location, 0);
}

}  // namespace kept_memory

MemoryReuse::MemoryReuse() { kept_memory::add_user(1); }
MemoryReuse::~MemoryReuse() { kept_memory::add_user(-1); }

}  // namespace plaq

#include "core/system/ledger.hpp"

#include <algorithm>
#include <iterator>

namespace plaq {

Ledger::Entry Ledger::enter(MemoryItem item) {
  const bool device = item.location == Location::device;
  std::list<MemoryItem>::iterator again = waiting_.end();
  if (item.kind == MemoryItem::Kind::lasting)
    again = std::find_if(waiting_.begin(), waiting_.end(),
                         [&](const MemoryItem& i) { return i.bytes == item.bytes; });
  if (again != waiting_.end()) {
    waiting_.erase(again);
  } else {
    all_[device] += item.bytes;
  }
  if (item.kind == MemoryItem::Kind::buffer) buffers_[device] += item.bytes;
  items_.push_back(std::move(item));
  look(items_.back().location);
  return std::prev(items_.end());
}

void Ledger::leave(Entry entry) {
  const bool device = entry->location == Location::device;
  if (entry->kind == MemoryItem::Kind::buffer) buffers_[device] -= entry->bytes;
  if (entry->kind == MemoryItem::Kind::lasting) {
    waiting_.splice(waiting_.end(), items_, entry);
    return;
  }
  all_[device] -= entry->bytes;
  items_.erase(entry);
}

void Ledger::look(Location location) {
  const bool device = location == Location::device;
  Peak& peak = peaks_[device];
  peak.buffer_bytes = std::max(peak.buffer_bytes, buffers_[device]);
  if (all_[device] <= peak.bytes) return;
  peak.bytes = all_[device];
  peak.phase = phase_;
  peak.items.clear();
  const auto add = [&](const MemoryItem& item, const std::string& name) {
    if (item.location != location || item.bytes == 0) return;
    const auto same = std::find_if(peak.items.begin(), peak.items.end(), [&](const MemoryItem& i) {
      return i.name == name && i.kind == item.kind;
    });
    if (same == peak.items.end()) {
      peak.items.push_back({name, item.bytes, location, item.kind});
    } else {
      same->bytes += item.bytes;
    }
  };
  for (const MemoryItem& item : items_) add(item, item.name);
  for (const MemoryItem& item : waiting_) add(item, "kept by 'peer' for later exchanges");
}

}  // namespace plaq

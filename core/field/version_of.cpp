#include "core/field/version_of.hpp"

#include <mutex>
#include <string>
#include <unordered_map>

#include "core/system/error.hpp"

namespace plaq {
namespace {

// Versions of memory that a VersionOf is of, by address.
class RememberedMemory {
 public:
  using Version = std::shared_ptr<std::atomic<std::uint64_t>>;

  // The known version of this memory; `version` if none is known.
  Version at(const void* memory, std::uint64_t version) {
    const std::lock_guard lock(mutex_);
    std::erase_if(versions_, [](const auto& entry) { return entry.second.expired(); });
    Version found = versions_[memory].lock();
    if (!found) {
      found = std::make_shared<std::atomic<std::uint64_t>>(version);
      versions_[memory] = found;
    }
    size_ = versions_.size();
    return found;
  }
  void change(const void* memory, std::uint64_t version) {
    if (size_ == 0) return;  // as in most programs at most times
    const std::lock_guard lock(mutex_);
    const auto entry = versions_.find(memory);
    if (entry == versions_.end()) return;
    if (const Version found = entry->second.lock()) *found = version;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const void*, std::weak_ptr<std::atomic<std::uint64_t>>> versions_;
  std::atomic<std::size_t> size_ = 0;
};

RememberedMemory& remembered() {
  static auto& memory = *new RememberedMemory;  // fields may be destroyed after any static object
  return memory;
}

[[noreturn]] void refuse(std::string_view derived) {
  throw Error(ErrorKind::usage, std::string(derived) +
                                    " was made of other links, or of links that changed since: make it again "
                                    "after the change");
}

}  // namespace

VersionOf::VersionOf(const Field& field) {
  if (!field) return;
  latest_ = remembered().at(field.buffer().data(), field.version());
  version_ = *latest_;
}

void VersionOf::expect_unchanged(std::string_view derived) const {
  if (changed()) refuse(derived);
}

void VersionOf::expect_same(const VersionOf& other, std::string_view derived) const {
  if (*this != other) refuse(derived);
}

void VersionOf::expect_of(const Field& field, std::string_view derived) const {
  if (!is_of(field)) refuse(derived);
}

void tell_of_change(const void* memory, std::uint64_t version) { remembered().change(memory, version); }

}  // namespace plaq

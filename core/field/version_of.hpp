// Remembers which version of a field something was computed of, and finds out if the field changed since.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/field/field.hpp"

namespace plaq {

/// The contents of a field when this was made. Fields that share memory have one version: Field::touch() of
/// any of them changes it, and so does a new field in the same memory. The memory is not kept.
class VersionOf {
 public:
  /// Remembers no field, and never finds a change.
  VersionOf() = default;
  explicit VersionOf(const Field& field);

  bool changed() const { return latest_ && latest_->load() != version_; }
  /// True if `field` is in the same memory and has not changed since.
  bool is_of(const Field& field) const { return !changed() && *this == VersionOf(field); }
  bool operator==(const VersionOf&) const = default;

  /// Throws Error(usage) if the field has changed. `derived` is what was
  /// computed of it, as "the clover term".
  void expect_unchanged(std::string_view derived) const;
  /// Throws Error(usage) unless both are of the same version of the same field.
  void expect_same(const VersionOf& other, std::string_view derived) const;
  /// Throws Error(usage) unless is_of(field).
  void expect_of(const Field& field, std::string_view derived) const;

 private:
  std::shared_ptr<const std::atomic<std::uint64_t>> latest_;  // version of the memory
  std::uint64_t version_ = 0;
};

/// Tells every VersionOf of this memory of a change. Field::touch() does it.
void tell_of_change(const void* memory, std::uint64_t version);

}  // namespace plaq

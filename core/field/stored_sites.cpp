#include "core/field/stored_sites.hpp"

#include <cstring>

#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"

namespace plaq {
namespace {

// Calls move(number in the field, place in the buffer, bytes) for every number of the sites.
template <class Move>
void for_numbers(const Field& field, int subfield, int parity, std::span<const int> sites, Move&& move) {
  require(field.location() == Location::host, "single sites of a field that is not on the host");
  const Layout& layout = field.layout();
  const std::size_t site_bytes = stored_site_bytes(field.spec());
  with_storage(field.precision(), [&](auto storage) {
    using S = typename decltype(storage)::type;
    auto* data = static_cast<S*>(field.data(subfield, parity));
    const auto count = static_cast<std::ptrdiff_t>(sites.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t n = 0; n < count; ++n) {
      const int site = sites[static_cast<std::size_t>(n)];
      std::size_t at = static_cast<std::size_t>(n) * site_bytes;
      for (int r = 0; r < layout.reals; ++r, at += sizeof(S))
        move(data + layout.offset(site, r), at, sizeof(S));
      if (layout.scale_units != 0) move(data + layout.scale_offset(site), at, sizeof(float));
    }
  });
}

}  // namespace

std::size_t stored_site_bytes(const FieldSpec& spec) {
  return static_cast<std::size_t>(spec.reals() * bytes_of(spec.precision)) +
         (spec.with_scale() ? sizeof(float) : 0);
}

void pack_sites(const Field& field, int subfield, int parity, std::span<const int> sites, void* buffer) {
  auto* to = static_cast<char*>(buffer);
  for_numbers(field, subfield, parity, sites, [&](const void* number, std::size_t at, std::size_t bytes) {
    std::memcpy(to + at, number, bytes);
  });
}

void unpack_sites(Field& field, int subfield, int parity, std::span<const int> sites, const void* buffer) {
  const auto* from = static_cast<const char*>(buffer);
  for_numbers(field, subfield, parity, sites, [&](void* number, std::size_t at, std::size_t bytes) {
    std::memcpy(number, from + at, bytes);
  });
  field.touch();
}

}  // namespace plaq

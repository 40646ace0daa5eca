#include "io/vectors/vector_codec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/field/fixed16.hpp"
#include "io/bytes/byte_order.hpp"

namespace plaq {
namespace {

constexpr ByteOrder order = ByteOrder::big;

// The reals of a vector at a site, within the field.
template <class Kept>
struct SiteReals {
  Kept* first;
  std::size_t stride;
  Kept& operator[](int r) const { return first[static_cast<std::size_t>(r) * stride]; }
};

std::byte* number_at(std::byte* bytes, int i) { return bytes + static_cast<std::size_t>(i) * 4; }
const std::byte* number_at(const std::byte* bytes, int i) { return bytes + static_cast<std::size_t>(i) * 4; }

template <class Kept>
bool encode_single(SiteReals<Kept> from, std::byte* to, int reals) {
  bool finite = true;
  for (int r = 0; r < reals; ++r) {
    const auto stored = static_cast<float>(from[r]);
    finite &= std::isfinite(stored);
    store(number_at(to, r), order, stored);
  }
  return finite;
}

template <class Kept>
bool decode_single(SiteReals<Kept> to, const std::byte* from, int reals) {
  bool finite = true;
  for (int r = 0; r < reals; ++r) {
    const auto stored = load<float>(number_at(from, r), order);
    finite &= std::isfinite(stored);
    to[r] = static_cast<Kept>(stored);
  }
  return finite;
}

// The largest magnitude is kept, not the scale: it comes back as it was, and so do all integers.
template <class Kept>
bool encode_half(SiteReals<Kept> from, std::byte* to, int reals) {
  Kept magnitude = 0;
  for (int r = 0; r < reals; ++r) magnitude = larger_magnitude(from[r], magnitude);
  const auto most = static_cast<float>(magnitude);
  const double steps = steps_for(static_cast<double>(most));
  store(to, order, steps == 0 ? 0.0f : most);
  if (!std::isfinite(most)) return false;
  const auto integer = [&](int r) {
    return static_cast<std::uint32_t>(
               static_cast<std::int32_t>(std::lrint(steps * static_cast<double>(from[r])))) &
           0xffffu;
  };
  for (int c = 0; c < reals / 2; ++c)
    store(number_at(to, 1 + c), order, integer(2 * c) << 16 | integer(2 * c + 1));
  return true;
}

template <class Kept>
bool decode_half(SiteReals<Kept> to, const std::byte* from, int reals) {
  const auto most = load<float>(from, order);
  bool finite = true;
  const auto put = [&](int r, std::uint32_t bits) {
    const double integer = static_cast<std::int16_t>(bits);
    to[r] = static_cast<Kept>(integer * static_cast<double>(most) / static_cast<double>(fixed16_steps));
    finite &= std::isfinite(to[r]);
  };
  for (int c = 0; c < reals / 2; ++c) {
    const auto word = load<std::uint32_t>(number_at(from, 1 + c), order);
    put(2 * c, word >> 16);
    put(2 * c + 1, word & 0xffffu);
  }
  return finite;
}

}  // namespace

VectorCodec::VectorCodec(const Field& vectors, Precision stored, std::string called)
    : vectors_(vectors), stored_(stored), called_(std::move(called)) {
  require(vectors.location() == Location::host && vectors.spec().order == Order::sites_fastest &&
              vectors.precision() != Precision::half_precision && vectors.holds(0) &&
              vectors.geometry().halo_depth() == 0,
          "files of vectors are for fields that hold the even sites, on the host, without halo");
}

template <class Kept, class Bytes, class Visit>
void VectorCodec::for_vectors(std::int64_t first_row, std::int64_t rows, Bytes* bytes, const Visit& visit) {
  const LatticeShape shape = vectors_.geometry().shape();
  const Layout& layout = vectors_.layout();
  const std::size_t stride = layout.offset(0, 1) - layout.offset(0, 0);
  const auto size = static_cast<std::size_t>(vector_bytes(stored_, vectors_.reals_per_site()));
  const int vectors = vectors_.subfields();
  std::int64_t first_bad = not_finite_;
#pragma omp parallel for schedule(static) reduction(min : first_bad)
  for (std::int64_t i = 0; i < rows * shape.half_x; ++i) {
    // Rows of even sites follow each other in memory as they do in the file.
    const auto site = static_cast<int>(first_row * shape.half_x + i);
    Bytes* at = bytes + static_cast<std::size_t>(i * vectors) * size;
    for (int v = 0; v < vectors; ++v, at += size) {
      Kept* first = static_cast<Kept*>(vectors_.data(v, 0)) + layout.offset(site, 0);
      if (!visit(SiteReals<Kept>{first, stride}, at))
        first_bad = std::min(first_bad, shape.global_index(shape.coordinates(0, site)) * vectors + v);
    }
  }
  not_finite_ = first_bad;
}

template <class Bytes, class Visit>
void VectorCodec::for_precision(std::int64_t first_row, std::int64_t rows, Bytes* bytes, const Visit& visit) {
  if (vectors_.precision() == Precision::double_precision)
    for_vectors<double>(first_row, rows, bytes, visit);
  else
    for_vectors<float>(first_row, rows, bytes, visit);
}

void VectorCodec::decode(std::int64_t first_row, std::int64_t rows, std::span<const std::byte> bytes) {
  const bool half = stored_ == Precision::half_precision;
  const int reals = vectors_.reals_per_site();
  for_precision(first_row, rows, bytes.data(), [=](auto numbers, const std::byte* from) {
    return half ? decode_half(numbers, from, reals) : decode_single(numbers, from, reals);
  });
}

void VectorCodec::encode(std::int64_t first_row, std::int64_t rows, std::span<std::byte> bytes) {
  const bool half = stored_ == Precision::half_precision;
  const int reals = vectors_.reals_per_site();
  for_precision(first_row, rows, bytes.data(), [=](auto numbers, std::byte* to) {
    return half ? encode_half(numbers, to, reals) : encode_single(numbers, to, reals);
  });
}

void VectorCodec::check(const ProcessGrid& grid, ErrorKind kind, const std::string& path) const {
  const std::int64_t first = grid.comm().min(not_finite_);
  if (first == nowhere) return;
  std::int64_t site = first / vectors_.subfields();
  Extents x{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    x[mu] = static_cast<int>(site % vectors_.geometry().global()[mu]);
    site /= vectors_.geometry().global()[mu];
  }
  throw Error(kind, fmt::format("{}: expected finite numbers, found another at site ({}), {} {}", path,
                                fmt::join(x, ", "), called_, first % vectors_.subfields()));
}

}  // namespace plaq

// Results as bytes. Lists are their length and then their elements; a variant is its index first.
#include <algorithm>

#include "io/bytes/byte_stream.hpp"
#include "jobs/results/results.hpp"

namespace plaq::jobs {
namespace {

constexpr std::uint32_t layout = 1;

struct Writer {
  ByteWriter out;

  void put(std::int64_t x) { out.number(x); }
  void put(std::uint64_t x) { out.number(x); }
  void put(double x) { out.number(x); }
  void put(const std::string& x) { out.text(x); }
  template <class T>
  void put(const std::vector<T>& list) {
    out.number(static_cast<std::uint64_t>(list.size()));
    for (const T& x : list) put(x);
  }
  template <class... T>
  void put(const std::variant<T...>& x) {
    out.number(static_cast<std::uint32_t>(x.index()));
    std::visit([&](const auto& value) { put(value); }, x);
  }
  void put(const std::pair<std::string, Attribute>& x) {
    put(x.first);
    put(x.second);
  }
  void put(const Group& x) {
    put(x.path);
    put(x.attributes);
    out.number(static_cast<std::uint32_t>(x.numbered));
  }
  void put(const Dataset& x) {
    put(x.path);
    put(x.extents);
    put(x.values);
    put(x.attributes);
  }
};

// get() is false where the bytes make no sense.
struct Reader {
  ByteReader in;

  template <class T>
  bool get_number(T& x) {
    const auto found = in.number<T>();
    if (found) x = *found;
    return found.has_value();
  }
  bool get(std::int64_t& x) { return get_number(x); }
  bool get(std::uint64_t& x) { return get_number(x); }
  bool get(double& x) { return get_number(x); }
  bool get(std::string& x) {
    const auto found = in.text();
    if (found) x = *found;
    return found.has_value();
  }
  template <class T>
  bool get(std::vector<T>& list) {
    constexpr std::size_t least = 8;  // bytes that an element takes
    std::uint64_t length = 0;
    if (!get(length) || length > in.left() / least) return false;
    for (; length > 0; --length)
      if (!get(list.emplace_back())) return false;  // memory only for what is there
    return true;
  }
  template <std::size_t index = 0, class... T>
  bool get(std::variant<T...>& x, std::uint32_t wanted) {
    if constexpr (index < sizeof...(T)) {
      if (wanted != index) return get<index + 1>(x, wanted);
      return get(x.template emplace<index>());
    } else {
      return false;
    }
  }
  template <class... T>
  bool get(std::variant<T...>& x) {
    std::uint32_t index = 0;
    return get_number(index) && get(x, index);
  }
  bool get(std::pair<std::string, Attribute>& x) { return get(x.first) && get(x.second); }
  bool get(Group& x) {
    std::uint32_t numbered = 0;
    if (!get(x.path) || !get(x.attributes) || !get_number(numbered)) return false;
    x.numbered = numbered != 0;
    return numbered <= 1;
  }
  bool get(Dataset& x) {
    if (!get(x.path) || !get(x.extents) || !get(x.values) || !get(x.attributes)) return false;
    auto left = std::visit([](const auto& values) { return values.size(); }, x.values);
    if (left == 0) return std::find(x.extents.begin(), x.extents.end(), 0u) != x.extents.end();
    for (const std::size_t extent : x.extents) {  // divided, since a product may be too large
      if (extent == 0 || left % extent != 0) return false;
      left /= extent;
    }
    return left == 1;
  }
};

}  // namespace

std::string to_bytes(const Results& results) {
  Writer writer;
  writer.out.number(layout);
  writer.put(results.groups);
  writer.put(results.datasets);
  return writer.out.bytes();
}

std::optional<Results> results_from_bytes(std::string_view bytes) {
  Reader reader{ByteReader(bytes)};
  Results results;
  if (reader.in.number<std::uint32_t>() != layout) return std::nullopt;
  if (!reader.get(results.groups) || !reader.get(results.datasets) || reader.in.left() != 0)
    return std::nullopt;
  return results;
}

}  // namespace plaq::jobs

// Gauge files of DDalphaAMG (read_conf in src/io.c there,
// conf/convert/DDHMC2DDalphaAMG.c), little- or big-endian:
//
//   int32 extents t, z, y, x; float64 average of Re tr U(p), three times our plaquette;
//     then sites with x fastest, then
//   y, z, t; at each the links in t, z, y, x as 3x3 float64
//
// It has no magic number, no checksum and no link trace. Several files of a field (.pt0pz0py0px0) are not
// read. That converter calls openQCD's directions x, y, z here z, y, x.
#include "io/gauge/gauge_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/algebra/su3.hpp"
#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"

namespace plaq {
namespace {

constexpr std::size_t ddalphaamg_header = 24;
constexpr LinkFormat ddalphaamg_links{3, Precision::double_precision, ByteOrder::little,
                                      LinkOrder::ddalphaamg};

struct DdalphaamgHead {
  ByteOrder order = ByteOrder::little;
  std::array<int, 4> sizes{};  // in the order of the file
  double plaquette = 0;        // of Re tr

  Extents extents() const { return {sizes[3], sizes[2], sizes[1], sizes[0]}; }
  Extents openqcd_extents() const { return {sizes[1], sizes[2], sizes[3], sizes[0]}; }
  bool is_sane() const {
    return std::all_of(sizes.begin(), sizes.end(), [](int e) { return e >= 1 && e <= largest_extent; });
  }
  bool is_even() const {
    return std::all_of(sizes.begin(), sizes.end(), [](int e) { return e % 2 == 0; });
  }
  double file_bytes() const {
    double bytes = ddalphaamg_links.site_bytes();
    for (const int size : sizes) bytes *= size;
    return bytes + ddalphaamg_header;
  }
};

std::optional<DdalphaamgHead> head_in(const ByteSource& source, ByteOrder order) {
  std::array<std::byte, ddalphaamg_header> bytes{};
  if (source.read(0, bytes) < bytes.size()) return std::nullopt;
  DdalphaamgHead head{order, {}, load<double>(bytes.data() + 16, order)};
  for (std::size_t i = 0; i < 4; ++i)
    head.sizes[i] = static_cast<std::int32_t>(load<std::uint32_t>(bytes.data() + 4 * i, order));
  return head.is_sane() ? std::optional(head) : std::nullopt;
}

// One of several files of a field, by its name.
bool is_part(const std::string& name) {
  std::size_t end = name.size();
  for (const char direction : {'x', 'y', 'z', 't'}) {
    const std::size_t digits = name.find_last_not_of("0123456789", end == 0 ? 0 : end - 1);
    if (digits == std::string::npos || digits < 1 || digits + 1 == end || name[digits] != direction ||
        name[digits - 1] != 'p')
      return false;
    end = digits - 1;
  }
  return end > 0 && name[end - 1] == '.';
}

// Plaquettes of a file that is not read yet: links at any place, in either order.
class LooseLinks {
 public:
  using Matrix = Matrix3<double>;

  LooseLinks(const ByteSource& source, const Extents& extents, bool openqcd)
      : source_(source), extents_(extents), openqcd_(openqcd) {}

  std::int64_t sites() const { return std::int64_t{extents_[0]} * extents_[1] * extents_[2] * extents_[3]; }

  // Average of Re tr over all plaquettes, or over those at about this many sites where there are more; of
  // those that are finite.
  double average(std::int64_t most) {
    sum_ = 0, count_ = 0;
    if (sites() <= most) {
      for (std::int64_t site = 0; site < sites(); ++site) add(coordinates(site));
    } else {
      // Runs of sites that follow each other in the file, all over the lattice.
      const std::size_t fastest = openqcd_ ? 2 : 0;
      const std::int64_t run = std::min(32, extents_[fastest]), runs = most / run;
      for (std::int64_t i = 0; i < runs; ++i) {
        const double place = std::fmod(static_cast<double>(i) * 0.6180339887498949, 1.0);
        Extents x = coordinates(static_cast<std::int64_t>(place * static_cast<double>(sites())));
        for (std::int64_t k = 0; k < run; ++k, x = forward(x, fastest)) add(x);
      }
    }
    return count_ > 0 ? static_cast<double>(sum_ / static_cast<long double>(count_)) : 0;
  }

 private:
  // Sites in the order of the file.
  Extents coordinates(std::int64_t site) const {
    Extents x{};
    for (const std::size_t mu :
         openqcd_ ? std::array<std::size_t, 4>{2, 1, 0, 3} : std::array<std::size_t, 4>{0, 1, 2, 3}) {
      x[mu] = static_cast<int>(site % extents_[mu]);
      site /= extents_[mu];
    }
    return x;
  }
  void add(const Extents& x) {
    for (std::size_t mu = 0; mu < 4; ++mu)
      for (std::size_t nu = mu + 1; nu < 4; ++nu)
        if (const double plaquette = re_trace(x, mu, nu); std::isfinite(plaquette)) {
          sum_ += plaquette;
          ++count_;
        }
  }
  Extents forward(Extents x, std::size_t mu) const {
    x[mu] = (x[mu] + 1) % extents_[mu];
    return x;
  }
  Matrix link(Extents x, std::size_t mu) {
    std::int64_t number = 0;
    if (openqcd_) {
      // The odd site at either end of the link has it: its own one, or that which leads to it.
      const bool odd = (x[0] + x[1] + x[2] + x[3]) % 2 != 0;
      if (!odd) x = forward(x, mu);
      const std::int64_t record =
          ((std::int64_t{x[3]} * extents_[0] + x[0]) * extents_[1] + x[1]) * (extents_[2] / 2) + x[2] / 2;
      number = 8 * record + 2 * static_cast<std::int64_t>((mu + 1) % 4) + (odd ? 0 : 1);
    } else {
      const std::int64_t record =
          ((std::int64_t{x[3]} * extents_[2] + x[2]) * extents_[1] + x[1]) * extents_[0] + x[0];
      number = 4 * record + 3 - static_cast<std::int64_t>(mu);
    }
    const std::byte* bytes = bytes_of(number);
    Matrix u;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const std::byte* number_at = bytes + 16 * (3 * i + j);
        u.e[i][j] = {load<double>(number_at, ByteOrder::little),
                     load<double>(number_at + 8, ByteOrder::little)};
      }
    return u;
  }
  // Through blocks of the file, many of which are kept.
  const std::byte* bytes_of(std::int64_t number) {
    constexpr std::int64_t links = 512;
    const std::int64_t block = number / links;
    Block& kept = blocks_[static_cast<std::size_t>(block) % blocks_.size()];
    if (kept.number != block) {
      kept.bytes.assign(144 * links, std::byte{0});
      source_.read(ddalphaamg_header + 144 * links * static_cast<std::uint64_t>(block), kept.bytes);
      kept.number = block;
    }
    return kept.bytes.data() + 144 * (number % links);
  }
  // Re tr U_mu(x) U_nu(x+mu) [U_nu(x) U_mu(x+nu)]^dagger.
  double re_trace(const Extents& x, std::size_t mu, std::size_t nu) {
    return real_trace_times_dagger(link(x, mu) * link(forward(x, mu), nu),
                                   link(x, nu) * link(forward(x, nu), mu));
  }

  struct Block {
    std::int64_t number = -1;
    std::vector<std::byte> bytes;
  };

  const ByteSource& source_;
  Extents extents_;
  bool openqcd_;
  long double sum_ = 0;  // of up to 10^8 plaquettes that are all nearly 3
  std::int64_t count_ = 0;
  std::array<Block, 64> blocks_;
};

bool links_are_ddalphaamgs(const ByteSource& source, const DdalphaamgHead& head) {
  // Distance of the header's plaquette from that of links in openQCD's order, minus that in DDalphaAMG's.
  const auto nearer = [&](std::int64_t most) {
    const auto off = [&](const Extents& extents, bool openqcd) {
      return std::abs(LooseLinks(source, extents, openqcd).average(most) - head.plaquette);
    };
    return off(head.openqcd_extents(), true) - off(head.extents(), false);
  };
  // The smaller it is, the nearer the plaquette is to that of links in the wrong order.
  const double sample = nearer(std::abs(head.plaquette) < 0.3 ? 4096 : 512);
  // Nearly unit links have nearly the same plaquette in either order, and a sample of
  // them differs by chance: take all.
  constexpr double by_chance = 1e-2, rounding = 1e-11;
  if (std::abs(head.plaquette) < 0.3 || std::abs(sample) > by_chance) return sample > 0;
  return nearer(std::numeric_limits<std::int64_t>::max()) > rounding;
}

std::optional<DdalphaamgHead> recognized_head(const ByteSource& source) {
  const auto little = head_in(source, ByteOrder::little), big = head_in(source, ByteOrder::big);
  const auto size = static_cast<double>(source.size());
  if (is_part(source.name()) && (little || big)) return little ? little : big;
  if (little && little->file_bytes() == size)
    return !little->is_even() || links_are_ddalphaamgs(source, *little) ? little : std::nullopt;
  if (big && big->file_bytes() == size) return big;
  // A wrong size: openQCD has none in this byte order.
  const auto is_plausible = [](double p) { return std::abs(p) <= 3 && std::abs(p) > 3e-6; };
  return big && !little && big->is_even() && is_plausible(big->plaquette) ? big : std::nullopt;
}

GaugeFileInfo inspect_ddalphaamg(const ByteSource& source) {
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::input_file, fmt::format("{}: {}", source.name(), what));
  };
  const auto head = recognized_head(source);
  if (!head) fail("not a DDalphaAMG file");
  if (is_part(source.name()))
    fail(
        "by its name it is one of several files in which DDalphaAMG keeps a gauge field: expected a single "
        "file");
  if (!head->is_even())
    fail(fmt::format("it seems to be a DDalphaAMG file of a {} lattice{}: expected even extents",
                     to_string(head->extents()),
                     head->order == ByteOrder::big
                         ? std::string()
                         : ", or an openQCD file of " + to_string(head->openqcd_extents())));
  if (!std::isfinite(head->plaquette))
    fail(fmt::format("byte 16: expected the average of Re tr U(p), found {}", head->plaquette));
  GaugeFileInfo info;
  info.path = source.name();
  info.format = GaugeFileFormat::ddalphaamg;
  info.extents = head->extents();
  info.links = ddalphaamg_links;
  info.links.order = head->order;
  info.data_offset = ddalphaamg_header;
  info.data_bytes = links_bytes(source.name(), info.extents, info.links);
  info.file_bytes = source.size();
  info.plaquette = head->plaquette / 3;
  info.checksum_kind = ChecksumKind::none;
  info.warnings.push_back(fmt::format(
      "{}: DDalphaAMG files have no checksum and no link trace: damaged links are noticed only by the "
      "plaquette and where they are no longer SU(3)",
      source.name()));
  check_links_size(source, info);
  return info;
}

std::optional<std::string> refuse_ddalphaamg(const LinkFormat& wanted) {
  if (wanted.precision != Precision::double_precision) return "DDalphaAMG holds double precision only";
  if (wanted.rows != 3) return "DDalphaAMG holds 3x3 links only";
  return std::nullopt;
}

GaugeFileFrame frame_ddalphaamg(const GaugeWriteRequest& request, const LinkChecksum&) {
  std::array<std::byte, ddalphaamg_header> head{};
  const ByteOrder order = request.links.order;
  for (std::size_t i = 0; i < 4; ++i)
    store(head.data() + 4 * i, order, static_cast<std::uint32_t>(request.extents[3 - i]));
  store(head.data() + 16, order, 3 * request.plaquette);
  return {{reinterpret_cast<const char*>(head.data()), head.size()}, {}};
}

}  // namespace

bool is_ddalphaamg(const ByteSource& source) { return recognized_head(source).has_value(); }

const GaugeFormat& ddalphaamg_format() {
  static constexpr GaugeFormat format{GaugeFileFormat::ddalphaamg, ChecksumKind::none, is_ddalphaamg,
                                      inspect_ddalphaamg,          refuse_ddalphaamg,  frame_ddalphaamg};
  return format;
}

}  // namespace plaq

// Propagators of MILC and FNAL, in single precision and the byte order of the machine that
// wrote them, x fastest, then y, z, t.
//
// MILC v5, staggered quarks (generic_ks/io_prop_ks.c, include/io_ksprop.h of the MILC code):
//   int32 magic 23209; int32 extents x, y, z, t; char time_stamp[64]; int32 order, 0;
//     then for each color of the source
//   int32 color; uint32 sum29, sum31; at each site [sink color][re, im]
// MILC v5, Wilson quarks (generic_wilson/io_wb3.c, include/io_wprop.h):
//   the same with magic 12781; behind order int32 n_spins, int32 spins[4]; then for each
//     source spin, in the order of that
//   list, and each color int32 spin, color; uint32 sum29, sum31; at each site [sink spin][sink color][re, im]
// FNAL (generic_ks/io_prop_ks_fm.c, generic_wilson/io_prop_w_fm.c), where checksums
// are in a file beside it, if at all:
//   int32 magic 0x71626434; int32 time; int32 bytes of a number, 4; int32 numbers of a site;
//     int32 extents x, y, z, t; int32
//   order, 0; then at each site 18 numbers, [source color][sink color][re, im], or 288,
//     [source spin][source color][sink
//   spin][sink color][re, im]; with 24 numbers of a site 12 fields of [sink spin][sink
//     color][re, im], for each source spin
//   and color one
//
// sum29 and sum31 are those of MILC's gauge files, of one column each. Phases of staggered quarks are txyz;
// for spinors see spin_basis.hpp. plaq writes FNAL files with 18 and 288 numbers.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/milc_stamp.hpp"
#include "io/propagator/propagator_formats.hpp"

namespace plaq {
namespace {

constexpr std::uint32_t ks_magic = 23209, wilson_magic = 12781, fnal_magic = 0x71626434;
constexpr std::size_t milc_extents_at = 4, milc_stamp_at = 20, milc_order_at = 84, n_spins_at = 88,
                      spins_at = 92;
constexpr std::size_t size_at = 8, numbers_at = 12, fnal_extents_at = 16, fnal_order_at = 32,
                      fnal_header = 36;

constexpr std::size_t milc_header(PropagatorKind quarks) {
  return quarks == PropagatorKind::spinors ? 108 : 88;
}
constexpr std::size_t check_bytes(PropagatorKind quarks) {
  return quarks == PropagatorKind::spinors ? 16 : 12;
}
constexpr std::uint32_t milc_magic(PropagatorKind quarks) {
  return quarks == PropagatorKind::spinors ? wilson_magic : ks_magic;
}

struct BinaryHead {
  std::array<std::byte, 108> bytes{};
  std::size_t found = 0;
  ByteOrder order = ByteOrder::little;
  PropagatorFormat format = PropagatorFormat::milc;
  PropagatorKind quarks = PropagatorKind::spinors;

  std::uint32_t word(std::size_t at) const { return load<std::uint32_t>(bytes.data() + at, order); }
  std::int32_t integer(std::size_t at) const { return static_cast<std::int32_t>(word(at)); }
};

// None where the magic number is another one, or FNAL's of another field.
std::optional<BinaryHead> binary_head(const ByteSource& source) {
  BinaryHead head;
  head.found = source.read(0, head.bytes);
  if (head.found < 4) return std::nullopt;
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    head.order = order;
    for (const PropagatorKind quarks : {PropagatorKind::spinors, PropagatorKind::staggered})
      if (head.word(0) == milc_magic(quarks)) {
        head.quarks = quarks;
        return head;
      }
    if (head.word(0) != fnal_magic) continue;
    head.format = PropagatorFormat::fnal;
    const std::uint32_t numbers = head.word(numbers_at);
    if (numbers == 18) head.quarks = PropagatorKind::staggered;
    return numbers == 18 || numbers == 24 || numbers == 288 ? std::optional(head) : std::nullopt;
  }
  return std::nullopt;
}

class BinaryInspector {
 public:
  BinaryInspector(const ByteSource& source, const BinaryHead& head) : source_(source), head_(head) {}

  PropagatorFileInfo inspect() {
    info_.path = source_.name();
    info_.format = head_.format;
    info_.quarks = head_.quarks;
    info_.count = columns_of(info_.quarks);
    info_.precision = Precision::single_precision;
    info_.order = head_.order;
    info_.checksum_kind = ChecksumKind::milc;
    const bool milc = head_.format == PropagatorFormat::milc;
    if (info_.quarks == PropagatorKind::staggered)
      info_.phases = StaggeredPhases::txyz;
    else
      info_.basis = milc ? SpinBasis::milc : SpinBasis::fnal;
    const std::size_t header = milc ? milc_header(info_.quarks) : fnal_header;
    if (head_.found < header)
      fail(fmt::format("the file ends inside the header of a {} propagator: expected {} bytes, found {}",
                       name_of(info_.format), header, head_.found));
    read_extents(milc ? milc_extents_at : fnal_extents_at);
    info_.data_bytes =
        lattice_bytes(source_.name(), info_.extents, record_bytes(info_.quarks, info_.precision));
    milc ? read_milc() : read_fnal();
    return std::move(info_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::input_file, fmt::format("{}: {}", source_.name(), what));
  }
  void warn(const std::string& what) {
    info_.warnings.push_back(fmt::format("{}: {}", source_.name(), what));
  }
  void read_extents(std::size_t at) {
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const std::int32_t extent = head_.integer(at + 4 * mu);
      if (extent < 1 || extent > largest_extent)
        fail(fmt::format("byte {}: expected the extent in {}, 1 to {}, found {}", at + 4 * mu, "xyzt"[mu],
                         largest_extent, extent));
      info_.extents[mu] = extent;
    }
  }
  std::uint64_t column_size() const { return info_.data_bytes / static_cast<std::uint64_t>(info_.count); }
  void check_size(std::uint64_t header, std::uint64_t checks) const {
    const std::uint64_t expected = header + checks + info_.data_bytes, found = source_.size();
    if (found == expected) return;
    const std::string sum = fmt::format("expected {} bytes, a propagator on {}, found {}", expected,
                                        to_string(info_.extents), found);
    if (found < expected) fail(fmt::format("truncated by {} bytes: {}", expected - found, sum));
    fail(fmt::format("{} bytes too many: {}", found - expected, sum));
  }
  void expect_natural_order(std::size_t at) const {
    if (head_.word(at) != 0)
      fail(fmt::format(
          "byte {}: expected 0 (sites in natural order, x fastest), found {}: files in the order of "
          "a machine's nodes are not read",
          at, head_.word(at)));
  }

  // Source spins in the order of the file.
  std::vector<int> spins() const {
    if (info_.quarks == PropagatorKind::staggered) return {0};
    std::vector<int> list;
    if (head_.word(n_spins_at) != 4)
      fail(fmt::format("byte {}: expected all 4 spins of the source, found {}", n_spins_at,
                       head_.integer(n_spins_at)));
    for (std::size_t i = 0; i < 4; ++i) list.push_back(head_.integer(spins_at + 4 * i));
    for (int spin = 0; spin < 4; ++spin)
      if (std::count(list.begin(), list.end(), spin) != 1)
        fail(fmt::format("byte {}: expected spins 0, 1, 2, 3 of the source, each once, found {}, {}, {}, {}",
                         spins_at, list[0], list[1], list[2], list[3]));
    return list;
  }

  void read_milc() {
    const std::size_t header = milc_header(info_.quarks), check = check_bytes(info_.quarks);
    expect_natural_order(milc_order_at);
    const std::vector<int> list = spins();
    check_size(header, check * static_cast<std::size_t>(info_.count));
    info_.metadata = milc_stamp(std::span(head_.bytes).subspan<milc_stamp_at, milc_stamp_bytes>());
    info_.columns.resize(static_cast<std::size_t>(info_.count));
    std::uint64_t at = header;
    for (const int spin : list)
      for (int color = 0; color < 3; ++color, at += check + column_size()) {
        ColumnRecord& column = info_.columns[static_cast<std::size_t>(3 * spin + color)];
        column.offset = at + check;
        read_check(at, spin, color, column);
      }
    info_.data_offset = info_.columns.front().offset;
    LinkChecksum all{ChecksumKind::milc};
    for (const ColumnRecord& column : info_.columns) {
      if (!column.checksum)
        return warn("the checksums of a column are 0 and count as absent: damage may go unnoticed");
      all.a ^= column.checksum->a;
      all.b ^= column.checksum->b;
    }
    info_.checksum = all;
  }
  void read_check(std::uint64_t at, int spin, int color, ColumnRecord& column) const {
    std::array<std::byte, 16> bytes{};
    source_.read(at, bytes);
    const auto word = [&](std::size_t i) { return load<std::uint32_t>(bytes.data() + 4 * i, info_.order); };
    std::size_t i = 0;
    if (info_.quarks == PropagatorKind::spinors && word(i++) != static_cast<std::uint32_t>(spin))
      fail(fmt::format("byte {}: expected spin {} of the source, found {}", at, spin, word(0)));
    if (word(i) != static_cast<std::uint32_t>(color))
      fail(fmt::format("byte {}: expected color {} of the source, found {}", at + 4 * i, color, word(i)));
    const LinkChecksum sums{ChecksumKind::milc, word(i + 1), word(i + 2)};
    if (sums.a != 0 || sums.b != 0) column.checksum = sums;
  }

  void read_fnal() {
    if (head_.word(size_at) != 4)
      fail(fmt::format("byte {}: expected numbers of 4 bytes, found {}", size_at, head_.integer(size_at)));
    expect_natural_order(fnal_order_at);
    check_size(fnal_header, 0);
    info_.data_offset = fnal_header;
    if (head_.word(numbers_at) == 24)
      for (std::uint64_t i = 0; i < 12; ++i) info_.columns.push_back({fnal_header + i * column_size(), {}});
    warn("FNAL files have no checksum: damage goes unnoticed where numbers stay finite");
  }

  const ByteSource& source_;
  const BinaryHead& head_;
  PropagatorFileInfo info_;
};

}  // namespace

bool is_binary_propagator(const ByteSource& source) { return binary_head(source).has_value(); }

PropagatorFileInfo inspect_binary_propagator(const ByteSource& source) {
  const auto head = binary_head(source);
  if (!head)
    throw Error(ErrorKind::input_file, fmt::format("{}: no propagator of MILC or FNAL", source.name()));
  return BinaryInspector(source, *head).inspect();
}

BinaryPropagatorLayout::BinaryPropagatorLayout(const std::string& path, PropagatorFormat format,
                                               const PropagatorFrame& frame)
    : format_(format), frame_(frame) {
  const bool milc = format == PropagatorFormat::milc;
  const auto columns = static_cast<std::size_t>(milc ? frame.count() : 1);
  const std::size_t header = milc ? milc_header(frame.quarks) : fnal_header,
                    check = milc ? check_bytes(frame.quarks) : 0;
  const std::uint64_t bytes =
      propagator_bytes(path, frame.extents, frame.quarks, frame.precision, frame.count()) / columns;
  for (std::size_t i = 0; i < columns; ++i) offsets_.push_back(header + (i + 1) * check + i * bytes);
  file_bytes_ = offsets_.back() + bytes;
  head();  // or an error now
}

std::string BinaryPropagatorLayout::head() const {
  const bool milc = format_ == PropagatorFormat::milc;
  std::vector<std::byte> bytes(milc ? milc_header(frame_.quarks) : fnal_header);
  const auto put = [&](std::size_t at, std::uint32_t word) { store(bytes.data() + at, frame_.order, word); };
  put(0, milc ? milc_magic(frame_.quarks) : fnal_magic);
  for (std::size_t mu = 0; mu < 4; ++mu)
    put((milc ? milc_extents_at : fnal_extents_at) + 4 * mu, static_cast<std::uint32_t>(frame_.extents[mu]));
  if (milc) {
    put_milc_stamp(std::span(bytes).subspan<milc_stamp_at, milc_stamp_bytes>(), frame_.metadata);
    if (frame_.quarks == PropagatorKind::spinors) {
      put(n_spins_at, 4);
      for (std::uint32_t spin = 0; spin < 4; ++spin) put(spins_at + 4 * spin, spin);
    }
  } else {
    put(size_at, 4);
    put(numbers_at, static_cast<std::uint32_t>(propagator_reals(frame_.quarks)));
  }
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string BinaryPropagatorLayout::check(std::size_t column, const LinkChecksum& checksum) const {
  if (format_ == PropagatorFormat::fnal) return {};
  std::vector<std::uint32_t> words;
  if (frame_.quarks == PropagatorKind::spinors) words.push_back(static_cast<std::uint32_t>(column / 3));
  words.insert(words.end(), {static_cast<std::uint32_t>(column % 3), checksum.a, checksum.b});
  std::string bytes(4 * words.size(), '\0');
  for (std::size_t i = 0; i < words.size(); ++i)
    store(reinterpret_cast<std::byte*>(bytes.data()) + 4 * i, frame_.order, words[i]);
  return bytes;
}

}  // namespace plaq

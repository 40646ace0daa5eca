#include "io/state/state_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/bytes/byte_stream.hpp"
#include "io/bytes/record_file.hpp"

namespace plaq {
namespace {

constexpr std::string_view state_magic = "plaqSTAT";
constexpr std::uint32_t state_layout = 1;
constexpr std::size_t before_head = 20, crc_bytes = 4;

struct StoredState {
  Extents extents{};
  std::string title, numbers;
  std::vector<FieldSpec> specs;  // on the host
  std::vector<LinkChecksum> checksums;
  std::uint64_t head_bytes = 0;  // of all before the fields
};

int site_bytes(const FieldSpec& spec) { return spec.subfields * spec.reals() * bytes_of(spec.precision); }
bool is_of_half_the_sites(const FieldSpec& spec) { return spec.subset != Subset::full; }

RecordFormat records_of(const FieldSpec& spec) {
  return {site_bytes(spec), ByteOrder::little, ChecksumKind::scidac,
          SiteOrder{.one_parity = is_of_half_the_sites(spec)}};
}

std::uint64_t bytes_of_field(const Extents& extents, const FieldSpec& spec) {
  const std::uint64_t sites = std::accumulate(extents.begin(), extents.end(), std::uint64_t{1},
                                              [](std::uint64_t n, int extent) { return n * extent; });
  return sites / (is_of_half_the_sites(spec) ? 2 : 1) * static_cast<std::uint64_t>(site_bytes(spec));
}

// Offsets of the fields, and the end of the file.
std::vector<std::uint64_t> offsets_of(const StoredState& stored) {
  std::vector<std::uint64_t> offsets{stored.head_bytes};
  for (const FieldSpec& spec : stored.specs)
    offsets.push_back(offsets.back() + bytes_of_field(stored.extents, spec));
  return offsets;
}

std::uint32_t crc_of_text(std::string_view bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string to_head(const StoredState& stored) {
  ByteWriter head;
  for (const int extent : stored.extents) head.number(static_cast<std::uint32_t>(extent));
  head.text(stored.title);
  head.text(stored.numbers);
  head.number(static_cast<std::uint32_t>(stored.specs.size()));
  for (std::size_t k = 0; k < stored.specs.size(); ++k) {
    const FieldSpec& spec = stored.specs[k];
    for (const int number : {static_cast<int>(spec.subset), spec.spins, spec.colors, spec.subfields,
                             bytes_of(spec.precision), spec.compressed_reals, spec.bounded ? 1 : 0})
      head.number(static_cast<std::uint32_t>(number));
    head.number(stored.checksums[k].a);
    head.number(stored.checksums[k].b);
  }
  ByteWriter all;
  all.raw(state_magic);
  all.number(state_layout);
  all.number(static_cast<std::uint64_t>(head.bytes().size()));
  all.raw(head.bytes());
  all.number(crc_of_text(all.bytes()));
  return all.bytes();
}

[[noreturn]] void refuse_state(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", path, what));
}

// All before the fields, as the file has it. Serial.
std::string head_of_file(const std::string& path) {
  const ByteSource file = ByteSource::file(path);
  const std::string begin = file.text(0, before_head);
  if (!begin.starts_with(state_magic) || begin.size() < before_head)
    refuse_state(path, "it is not the state of unfinished work");
  ByteReader in(std::string_view(begin).substr(state_magic.size()));
  const std::uint32_t layout = *in.number<std::uint32_t>();
  const std::uint64_t bytes = *in.number<std::uint64_t>();
  if (layout != state_layout)
    refuse_state(path, fmt::format("expected a state of version {}, found version {}: another version of "
                                   "plaq wrote it",
                                   state_layout, layout));
  if (bytes > file.size() || file.size() - bytes < before_head + crc_bytes)
    refuse_state(path, "the file is truncated or damaged");
  return file.text(0, before_head + bytes + crc_bytes);
}

StoredState parse_head(const std::string& path, const std::string& text) {
  const auto damaged = [&] { refuse_state(path, "the head of the file is damaged"); };
  const std::size_t end = text.size() - crc_bytes;
  ByteReader crc(std::string_view(text).substr(end));
  if (*crc.number<std::uint32_t>() != crc_of_text(std::string_view(text).substr(0, end))) damaged();
  ByteReader in(std::string_view(text).substr(before_head, end - before_head));
  const auto number = [&] {
    const auto found = in.number<std::uint32_t>();
    if (!found) damaged();
    return found.value_or(0);
  };
  const auto words = [&] {
    const auto found = in.text();
    if (!found) damaged();
    return std::string(found.value_or(""));
  };
  StoredState stored;
  stored.head_bytes = text.size();
  for (int& extent : stored.extents) extent = static_cast<int>(number());
  stored.title = words();
  stored.numbers = words();
  for (std::uint32_t left = number(); left > 0; --left) {
    FieldSpec spec;
    spec.subset = static_cast<Subset>(number());
    for (int* size : {&spec.spins, &spec.colors, &spec.subfields}) *size = static_cast<int>(number());
    spec.precision = number() == 8 ? Precision::double_precision : Precision::single_precision;
    spec.compressed_reals = static_cast<int>(number());
    spec.bounded = number() != 0;
    stored.specs.push_back(spec);
    LinkChecksum checksum{ChecksumKind::scidac};
    checksum.a = number();
    checksum.b = number();
    stored.checksums.push_back(checksum);
  }
  return stored;
}

// Fields that this version writes, on a lattice whose bytes can be counted.
bool is_possible(const StoredState& stored) {
  const auto within = [](int number, int least, int most) { return number >= least && number <= most; };
  double sites = 1;
  for (const int extent : stored.extents) {
    if (!within(extent, 2, 1 << 20) || extent % 2 != 0) return false;
    sites *= extent;
  }
  return std::all_of(stored.specs.begin(), stored.specs.end(), [&](const FieldSpec& spec) {
    return (spec.subset == Subset::full || spec.subset == Subset::even) && within(spec.spins, 1, 64) &&
           within(spec.colors, 1, 64) && within(spec.subfields, 1, 1 << 16) &&
           within(spec.compressed_reals, 0, 18) && sites * site_bytes(spec) < 1e18;
  });
}

// The head of a file that is whole. Serial.
std::string checked_head(const std::string& path) {
  const std::string head = head_of_file(path);
  const StoredState stored = parse_head(path, head);
  if (!is_possible(stored)) refuse_state(path, "the head of the file is damaged");
  const std::uint64_t bytes = ByteSource::file(path).size(), expected = offsets_of(stored).back();
  if (bytes != expected)
    refuse_state(
        path, fmt::format("the file is truncated or damaged: expected {} bytes, found {}", expected, bytes));
  return head;
}

StoredState stored_in(const std::string& path, const ProcessGrid& grid) {
  std::string head;
  all_or_none(grid.comm(), [&] {
    if (grid.rank() == 0) head = checked_head(path);
  });
  return parse_head(path, broadcast(grid.comm(), head));
}

// Visits this rank's numbers in their order in the file; a field on the host, without halo.
template <class Real, class Visit>
void for_reals(const Field& field, std::int64_t first_row, std::int64_t rows, const Visit& visit) {
  const LatticeShape shape = field.geometry().shape();
  const Layout& layout = field.layout();
  const bool half = is_of_half_the_sites(field.spec());
  const std::int64_t row_sites = half ? shape.half_x : shape.extent[0];
  const int subfields = field.subfields(), reals = field.reals_per_site();
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < rows * row_sites; ++i) {
    std::int64_t row = first_row + i / row_sites;
    int parity = 0, site = static_cast<int>(first_row * row_sites + i);
    if (!half) {
      Coordinates c = {{static_cast<int>(i % row_sites), 0, 0, 0}};
      for (int mu = 1; mu < 4; ++mu) {
        c.x[mu] = static_cast<int>(row % shape.extent[mu]);
        row /= shape.extent[mu];
      }
      parity = shape.parity(c);
      site = shape.index(c);
    }
    std::int64_t number = i * subfields * reals;
    for (int s = 0; s < subfields; ++s) {
      auto* numbers = static_cast<Real*>(field.data(s, parity));
      for (int r = 0; r < reals; ++r) visit(numbers[layout.offset(site, r)], number++);
    }
  }
}

template <class Real>
void encode(const Field& field, std::int64_t first_row, std::int64_t rows, std::byte* bytes) {
  for_reals<Real>(field, first_row, rows, [bytes](const Real& real, std::int64_t n) {
    store(bytes + static_cast<std::size_t>(n) * sizeof(Real), ByteOrder::little, real);
  });
}

template <class Real>
void decode(const Field& field, std::int64_t first_row, std::int64_t rows, const std::byte* bytes) {
  for_reals<Real>(field, first_row, rows, [bytes](Real& real, std::int64_t n) {
    real = load<Real>(bytes + static_cast<std::size_t>(n) * sizeof(Real), ByteOrder::little);
  });
}

Field on_host(const Field& field, const GeometryPtr& geometry) {
  if (field.location() == Location::host && field.geometry_ptr() == geometry) return field;
  FieldSpec spec = field.spec();
  spec.location = Location::host;
  Field copied(geometry, spec);
  copy(copied, field);
  return copied;
}

// The file without its name, with its head and its fields.
class UnnamedStateFile final : public UnnamedFile {
 public:
  UnnamedStateFile(const std::string& path, StoredState stored)
      : stored_(std::move(stored)), temporary_(path, offsets_of(stored_).back()) {}

  const std::string& name() const override { return temporary_.name(); }
  std::uint64_t data_offset(std::size_t column) const override { return offsets_of(stored_)[column]; }
  void complete(std::span<const LinkChecksum> checksums) override {
    stored_.checksums.assign(checksums.begin(), checksums.end());
    const std::string head = to_head(stored_);
    temporary_.write(0, std::as_bytes(std::span(head)));
  }
  void publish() override { temporary_.publish(); }

 private:
  StoredState stored_;
  TemporaryFile temporary_;
};

}  // namespace

void write_state(const std::string& path, const ProcessGrid& grid, const GeometryPtr& geometry,
                 const std::string& title, const State& state) {
  StoredState stored;
  stored.extents = geometry->global();
  stored.title = title;
  stored.numbers = state.numbers;
  std::vector<RecordFormat> formats;
  for (const Field& field : state.fields) {
    const FieldSpec& spec = field.spec();
    require(
        (spec.precision == Precision::double_precision || spec.precision == Precision::single_precision) &&
            spec.Ls == 1 && spec.order == Order::sites_fastest && spec.subset != Subset::odd,
        "the state of unfinished work with a field in another storage");
    stored.specs.push_back(spec);
    formats.push_back(records_of(spec));
  }
  stored.checksums.resize(state.fields.size(), LinkChecksum{ChecksumKind::scidac});
  stored.head_bytes = to_head(stored).size();
  const MemoryName name("a field of a state, on the host");
  Field host;
  std::size_t of = state.fields.size();  // host is a copy of this one
  const auto fetch = [&](std::size_t column) {
    if (of == column) return;
    host = {};
    host = on_host(state.fields[column], geometry);
    of = column;
  };
  if (runs_dry())
    for (std::size_t k = 0; k < state.fields.size(); ++k) fetch(k);
  write_columns(
      path, grid, *geometry, formats, [&] { return std::make_unique<UnnamedStateFile>(path, stored); },
      [&](std::size_t column, std::int64_t first, std::int64_t rows, std::span<std::byte> bytes) {
        fetch(column);
        host.precision() == Precision::double_precision ? encode<double>(host, first, rows, bytes.data())
                                                        : encode<float>(host, first, rows, bytes.data());
      },
      [] {}, {});
}

bool is_state_file(const std::string& path) {
  const ByteSource file = ByteSource::file(path);
  return file.size() >= state_magic.size() && file.text(0, state_magic.size()) == state_magic;
}

StateFileInfo inspect_state(const std::string& path) {
  const StoredState stored = parse_head(path, checked_head(path));
  return {stored.extents, stored.title, stored.specs.size(), offsets_of(stored).back()};
}

std::string read_state_title(const std::string& path, const ProcessGrid& grid) {
  return stored_in(path, grid).title;
}

State read_state(const std::string& path, const ProcessGrid& grid, const GeometryPtr& geometry) {
  const StoredState stored = stored_in(path, grid);
  if (stored.extents != geometry->global())
    refuse_state(path, fmt::format("it is of a lattice of {}, expected {}", to_string(stored.extents),
                                   to_string(geometry->global())));
  const auto offsets = offsets_of(stored);
  State state{stored.numbers, {}};
  for (std::size_t k = 0; k < stored.specs.size(); ++k) {
    Field field(geometry, stored.specs[k]);
    const LinkChecksum found = read_records(
        path, grid, *geometry, offsets[k], records_of(stored.specs[k]),
        [&](std::int64_t first, std::int64_t rows, std::span<const std::byte> bytes) {
          field.precision() == Precision::double_precision ? decode<double>(field, first, rows, bytes.data())
                                                           : decode<float>(field, first, rows, bytes.data());
        });
    if (found != stored.checksums[k])
      refuse_state(path, fmt::format("its fields are damaged: expected checksum {}, found {}",
                                     stored.checksums[k].text(), found.text()));
    state.fields.push_back(std::move(field));
  }
  return state;
}

}  // namespace plaq

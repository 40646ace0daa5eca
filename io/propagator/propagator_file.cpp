#include "io/propagator/propagator_file.hpp"

#include <fmt/format.h>
#include <span>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/checksum_trailer.hpp"
#include "io/bytes/record_file.hpp"
#include "io/gauge/link_checksum.hpp"
#include "io/lime/lime.hpp"
#include "io/propagator/propagator_codec.hpp"
#include "io/propagator/propagator_formats.hpp"

namespace plaq {
namespace {

void share(ColumnRecord& column, const ProcessGrid& grid) {
  std::uint64_t words[] = {column.offset, column.checksum.has_value(),
                           column.checksum ? column.checksum->a : 0u,
                           column.checksum ? column.checksum->b : 0u,
                           column.checksum ? static_cast<std::uint64_t>(column.checksum->kind) : 0u};
  grid.comm().broadcast(std::span(words));
  column.offset = words[0];
  if (words[1])
    column.checksum = LinkChecksum{static_cast<ChecksumKind>(words[4]), static_cast<std::uint32_t>(words[2]),
                                   static_cast<std::uint32_t>(words[3])};
}

// One rank looks at headers; then all have what it found.
PropagatorFileInfo shared_propagator_info(const std::string& path, const ProcessGrid& grid) {
  PropagatorFileInfo info;
  all_or_none(grid.comm(), [&] {
    if (grid.rank() == 0) info = inspect_propagator(path);
  });
  const Extents& e = info.extents;
  const auto word = [](auto value) { return static_cast<std::uint64_t>(value); };
  std::uint64_t words[] = {word(info.format),
                           word(info.precision),
                           word(info.order),
                           word(e[0]),
                           word(e[1]),
                           word(e[2]),
                           word(e[3]),
                           word(info.quarks),
                           word(info.phases),
                           word(info.numbers),
                           info.data_offset,
                           info.data_bytes,
                           word(info.checksum.has_value()),
                           info.checksum ? word(info.checksum->a) << 32 | info.checksum->b : 0,
                           info.warnings.size(),
                           info.columns.size(),
                           word(info.basis),
                           word(info.count),
                           word(info.checksum_kind)};
  grid.comm().broadcast(std::span(words));
  info.path = path;
  info.format = static_cast<PropagatorFormat>(words[0]);
  info.precision = static_cast<Precision>(words[1]);
  info.order = static_cast<ByteOrder>(words[2]);
  for (std::size_t mu = 0; mu < 4; ++mu) info.extents[mu] = static_cast<int>(words[3 + mu]);
  info.quarks = static_cast<PropagatorKind>(words[7]);
  info.phases = static_cast<StaggeredPhases>(words[8]);
  info.numbers = static_cast<SiteNumbers>(words[9]);
  info.data_offset = words[10];
  info.data_bytes = words[11];
  info.basis = static_cast<SpinBasis>(words[16]);
  info.count = static_cast<int>(words[17]);
  info.checksum_kind = static_cast<ChecksumKind>(words[18]);
  if (words[12])
    info.checksum = LinkChecksum{info.checksum_kind, static_cast<std::uint32_t>(words[13] >> 32),
                                 static_cast<std::uint32_t>(words[13])};
  info.columns.resize(words[15]);
  for (ColumnRecord& column : info.columns) share(column, grid);
  info.metadata = broadcast(grid.comm(), std::move(info.metadata));
  info.warnings.resize(words[14]);
  for (auto& warning : info.warnings) warning = broadcast(grid.comm(), std::move(warning));
  return info;
}

// HDF5 around the numbers, and the trailer behind it.
class Hdf5File : public UnnamedFile {
 public:
  Hdf5File(const std::string& path, const PropagatorFrame& frame)
      : path_(path),
        data_bytes_(propagator_bytes(path, frame.extents, frame.quarks, frame.precision, frame.count())) {
    if (frame.metadata.find('\0') != std::string::npos)
      throw Error(ErrorKind::output_file, fmt::format("cannot write {}: its text has a zero byte", path));
    temporary_.emplace(path, 0);
    if (runs_dry()) {
      temporary_->resize(data_bytes_ + about_hdf5_propagator_bytes(frame) + edge_trailer_bytes);
      return;
    }
    place_ = create_hdf5_propagator(temporary_->name(), path, frame);
    temporary_->resize(place_.file_bytes + edge_trailer_bytes);
  }

  const std::string& name() const override { return temporary_->name(); }
  std::uint64_t data_offset(std::size_t) const override { return place_.data_offset; }
  void complete(std::span<const LinkChecksum> checksums) override {
    if (runs_dry()) return;
    set_hdf5_checksum(temporary_->name(), path_, checksums.front());
    const auto trailer = make_edge_trailer(ByteSource::file(temporary_->name()), place_.file_bytes,
                                           {place_.data_offset, data_bytes_});
    temporary_->write(place_.file_bytes, trailer);
  }
  void publish() override { temporary_->publish(); }

 private:
  std::string path_;
  std::uint64_t data_bytes_ = 0;
  Hdf5Place place_;
  std::optional<TemporaryFile> temporary_;
};

// A header, and what stands before each column.
class BinaryFile : public UnnamedFile {
 public:
  BinaryFile(const std::string& path, PropagatorFormat format, const PropagatorFrame& frame)
      : layout_(path, format, frame), temporary_(path, layout_.file_bytes()) {}

  const std::string& name() const override { return temporary_.name(); }
  std::uint64_t data_offset(std::size_t column) const override { return layout_.data_offset(column); }
  void complete(std::span<const LinkChecksum> checksums) override {
    write(0, layout_.head());
    for (std::size_t i = 0; i < checksums.size(); ++i) {
      const std::string check = layout_.check(i, checksums[i]);
      write(layout_.data_offset(i) - check.size(), check);
    }
  }
  void publish() override { temporary_.publish(); }

 private:
  void write(std::uint64_t at, const std::string& bytes) {
    temporary_.write(at, std::as_bytes(std::span(bytes)));
  }

  BinaryPropagatorLayout layout_;
  TemporaryFile temporary_;
};

std::unique_ptr<UnnamedFile> make_file(const std::string& path, PropagatorFormat format,
                                       const PropagatorFrame& frame) {
  if (format == PropagatorFormat::hdf5) return std::make_unique<Hdf5File>(path, frame);
  if (is_binary_format(format)) {
    try {
      return std::make_unique<BinaryFile>(path, format, frame);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("cannot write {}: {}", path, error.what()));
    }
  }
  return std::make_unique<FramedFile>(
      path, propagator_bytes(path, frame.extents, frame.quarks, frame.precision, frame.count()),
      ChecksumKind::scidac,
      [=](const LinkChecksum& checksum) { return frame_scidac_propagator(frame, checksum); });
}

std::string described(PropagatorKind quarks, int columns) {
  if (columns == 1)
    return quarks == PropagatorKind::spinors ? "a single spinor field" : "a single color vector field";
  return quarks == PropagatorKind::spinors ? "a propagator of spinors" : "a propagator of staggered quarks";
}

SpinBasis basis_of(PropagatorFormat format) {
  if (format == PropagatorFormat::milc) return SpinBasis::milc;
  return format == PropagatorFormat::fnal ? SpinBasis::fnal : SpinBasis::degrand_rossi;
}

}  // namespace

PropagatorKind quarks_of(const Field& propagator) {
  return propagator.spec().spins == 1 ? PropagatorKind::staggered : PropagatorKind::spinors;
}

FieldSpec propagator_spec(PropagatorKind quarks, Precision precision) {
  return propagator_spec(quarks, precision, columns_of(quarks));
}

FieldSpec propagator_spec(PropagatorKind quarks, Precision precision, int columns) {
  return quarks == PropagatorKind::spinors ? spinor_spec(Subset::full, columns, precision, Location::host)
                                           : staggered_spec(Subset::full, columns, precision, Location::host);
}

bool is_propagator(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  if (!is_lime(source)) return is_binary_propagator(source) || is_hdf5_propagator(source);
  return is_usqcd_propagator(source) || is_scidac_propagator(source);
}

PropagatorFileInfo inspect_propagator(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  if (is_binary_propagator(source)) return inspect_binary_propagator(source);
  if (!is_lime(source)) return inspect_hdf5_propagator(path);
  return is_usqcd_propagator(source) ? inspect_usqcd_propagator(source) : inspect_scidac_propagator(source);
}

std::optional<std::string> refuse_to_write(PropagatorKind quarks, int columns,
                                           const PropagatorWriteOptions& options) {
  const auto name = name_of(options.format);
  if (columns != columns_of(quarks) && options.format != PropagatorFormat::scidac)
    return fmt::format(
        "{} files hold the {} columns of a propagator, not a single quark field: SciDAC files do", name,
        columns_of(quarks));
  if (is_binary_format(options.format) && options.precision != Precision::single_precision)
    return fmt::format("{} propagators are of single precision only", name);
  return std::nullopt;
}

LinkChecksum write_propagator(const std::string& path, const ProcessGrid& grid, const Field& propagator,
                              const PropagatorWriteOptions& options, const WrittenFileCheck& check) {
  const Geometry& geometry = propagator.geometry();
  const PropagatorKind quarks = quarks_of(propagator);
  const int columns = propagator.spec().subfields;
  if (const auto why_not = refuse_to_write(quarks, columns, options))
    throw Error(ErrorKind::output_file, fmt::format("cannot write {}: {}", path, *why_not));
  const bool binary = is_binary_format(options.format), milc = options.format == PropagatorFormat::milc;
  const ByteOrder order = binary                                       ? options.order
                          : options.format == PropagatorFormat::scidac ? ByteOrder::big
                                                                       : ByteOrder::little;
  const PropagatorCodec::Stored stored{site_numbers(options.format, quarks), options.precision, order,
                                       binary ? StaggeredPhases::txyz : options.phases,
                                       basis_of(options.format)};
  std::vector<PropagatorCodec> codecs;  // of records of their own
  if (milc || columns == 1)
    for (int i = 0; i < columns; ++i) codecs.emplace_back(propagator, stored, i);
  else
    codecs.emplace_back(propagator, stored);
  const int bytes = record_bytes(quarks, options.precision, columns) / static_cast<int>(codecs.size());
  return write_columns(
      path, grid, geometry,
      std::vector<RecordFormat>(codecs.size(),
                                {bytes, order, binary ? ChecksumKind::milc : ChecksumKind::scidac, {}}),
      [&] {
        return make_file(
            path, options.format,
            {geometry.global(), quarks, options.precision, options.metadata, stored.phases, columns, order});
      },
      [&](std::size_t column, std::int64_t first, std::int64_t rows, std::span<std::byte> some) {
        codecs[column].encode(first, rows, some);
      },
      [&] {
        for (const PropagatorCodec& codec : codecs)
          codec.check(grid, ErrorKind::output_file, "cannot write " + path);
      },
      check);
}

PropagatorReadReport read_propagator(const std::string& path, const ProcessGrid& grid, Field& propagator,
                                     const PropagatorReadOptions& options) {
  PropagatorReadReport report;
  report.info = shared_propagator_info(path, grid);
  const PropagatorFileInfo& info = report.info;
  const Geometry& geometry = propagator.geometry();
  if (info.extents != geometry.global())
    throw Error(ErrorKind::input_file,
                fmt::format("{}: it holds a propagator on {}, the job's lattice is {}", path,
                            to_string(info.extents), to_string(geometry.global())));
  const int columns = propagator.spec().subfields;
  if (info.quarks != quarks_of(propagator) || info.count != columns)
    throw Error(ErrorKind::input_file,
                fmt::format("{}: expected {}, found {}", path, described(quarks_of(propagator), columns),
                            described(info.quarks, info.count)));
  for (const auto& warning : info.warnings) log::warning(warning);

  report.checksum = LinkChecksum{info.checksum_kind};
  const PropagatorCodec::Stored stored{info.numbers, info.precision, info.order, info.phases, info.basis};
  const auto read = [&](std::uint64_t offset, int bytes, const std::optional<LinkChecksum>& expected,
                        std::optional<int> column) {
    PropagatorCodec codec(propagator, stored, column);
    const LinkChecksum found =
        read_records(path, grid, geometry, offset, {bytes, info.order, info.checksum_kind, {}},
                     [&](std::int64_t first, std::int64_t rows, std::span<std::byte> some) {
                       codec.decode(first, rows, some);
                     });
    propagator.touch();
    if (expected && *expected != found) {
      const std::string where = info.columns.size() > 1 ? fmt::format(" in column {}", *column) : "";
      if (!accepts(options.accept_checksums, found))
        throw Error(ErrorKind::input_file,
                    fmt::format("{}: the propagator is damaged{}: expected checksum {}, found {}; {}", path,
                                where, expected->text(), found.text(), how_to_accept(found, false)));
      report.stale_checksum = true;
      log::warning(fmt::format(
          "{}: it states the checksum {}{}; its numbers, of checksum {}, are accepted as asked for", path,
          expected->text(), where, found.text()));
    }
    codec.check(grid, ErrorKind::input_file, path);
    report.checksum.a ^= found.a;
    report.checksum.b ^= found.b;
  };
  if (info.columns.empty())
    read(info.data_offset, record_bytes(info.quarks, info.precision, info.count), info.checksum,
         info.count == 1 ? std::optional(0) : std::nullopt);
  for (std::size_t i = 0; i < info.columns.size(); ++i)
    read(info.columns[i].offset, column_bytes(info.quarks, info.precision), info.columns[i].checksum,
         static_cast<int>(i));
  if (info.basis == SpinBasis::fnal && !info.columns.empty()) rotate_from_fnal(propagator);
  return report;
}

}  // namespace plaq

#include "io/propagator/propagator_file.hpp"

#include <fmt/format.h>

#include "comms/grid/collective.hpp"
#include "comms/grid/mpi_check.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/file_seal.hpp"
#include "io/bytes/record_file.hpp"
#include "io/lime/lime.hpp"
#include "io/propagator/propagator_codec.hpp"
#include "io/propagator/propagator_formats.hpp"
#include "io/propagator/usqcd_propagator.hpp"

namespace plaq {
namespace {

void share(ColumnRecord& column, const ProcessGrid& grid) {
  std::uint64_t words[] = {column.offset, column.checksum.has_value(),
                           column.checksum ? column.checksum->a : 0u,
                           column.checksum ? column.checksum->b : 0u};
  wait_mpi("MPI_Bcast", [&] { return MPI_Bcast(words, std::size(words), MPI_UINT64_T, 0, grid.comm()); });
  column.offset = words[0];
  if (words[1])
    column.checksum = LinkChecksum{ChecksumKind::scidac, static_cast<std::uint32_t>(words[2]),
                                   static_cast<std::uint32_t>(words[3])};
}

// One rank looks at headers; then all have what it found.
PropagatorFileInfo shared_info(const std::string& path, const ProcessGrid& grid) {
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
                           info.columns.size()};
  wait_mpi("MPI_Bcast", [&] { return MPI_Bcast(words, std::size(words), MPI_UINT64_T, 0, grid.comm()); });
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
  if (words[12])
    info.checksum = LinkChecksum{ChecksumKind::scidac, static_cast<std::uint32_t>(words[13] >> 32),
                                 static_cast<std::uint32_t>(words[13])};
  info.columns.resize(words[15]);
  for (ColumnRecord& column : info.columns) share(column, grid);
  info.metadata = broadcast(grid.comm(), std::move(info.metadata));
  info.warnings.resize(words[14]);
  for (auto& warning : info.warnings) warning = broadcast(grid.comm(), std::move(warning));
  return info;
}

// HDF5 around the numbers, and the seal behind it.
class Hdf5File : public UnnamedFile {
 public:
  Hdf5File(const std::string& path, const PropagatorFrame& frame)
      : path_(path), data_bytes_(propagator_bytes(path, frame.extents, frame.quarks, frame.precision)) {
    if (frame.metadata.find('\0') != std::string::npos)
      throw Error(ErrorKind::output_file, fmt::format("cannot write {}: its text has a zero byte", path));
    temporary_.emplace(path, 0);
    if (runs_dry()) {
      temporary_->resize(data_bytes_ + about_hdf5_propagator_bytes(frame) + edge_seal_bytes);
      return;
    }
    place_ = create_hdf5_propagator(temporary_->name(), path, frame);
    temporary_->resize(place_.file_bytes + edge_seal_bytes);
  }

  const std::string& name() const override { return temporary_->name(); }
  std::uint64_t data_offset() const override { return place_.data_offset; }
  void complete(const LinkChecksum& checksum) override {
    if (runs_dry()) return;
    set_hdf5_checksum(temporary_->name(), path_, checksum);
    const auto seal = make_edge_seal(ByteSource::file(temporary_->name()), place_.file_bytes,
                                     {place_.data_offset, data_bytes_});
    temporary_->write(place_.file_bytes, seal);
  }
  void publish() override { temporary_->publish(); }

 private:
  std::string path_;
  std::uint64_t data_bytes_ = 0;
  Hdf5Place place_;
  std::optional<TemporaryFile> temporary_;
};

std::unique_ptr<UnnamedFile> make_file(const std::string& path, PropagatorFormat format,
                                       const PropagatorFrame& frame) {
  if (format == PropagatorFormat::hdf5) return std::make_unique<Hdf5File>(path, frame);
  return std::make_unique<FramedFile>(
      path, propagator_bytes(path, frame.extents, frame.quarks, frame.precision), ChecksumKind::scidac,
      [=](const LinkChecksum& checksum) { return frame_scidac_propagator(frame, checksum); });
}

std::string_view described(PropagatorKind quarks) {
  return quarks == PropagatorKind::spinors ? "spinors" : "staggered quarks";
}

}  // namespace

PropagatorKind quarks_of(const Field& propagator) {
  return propagator.spec().spins == 1 ? PropagatorKind::staggered : PropagatorKind::spinors;
}

FieldSpec propagator_spec(PropagatorKind quarks, Precision precision) {
  const int columns = columns_of(quarks);
  return quarks == PropagatorKind::spinors ? spinor_spec(Subset::full, columns, precision, Location::host)
                                           : staggered_spec(Subset::full, columns, precision, Location::host);
}

bool is_propagator(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  if (!is_lime(source)) return is_hdf5_propagator(source);
  return is_usqcd_propagator(source) || is_scidac_propagator(source);
}

PropagatorFileInfo inspect_propagator(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  if (!is_lime(source)) return inspect_hdf5_propagator(path);
  return is_usqcd_propagator(source) ? inspect_usqcd_propagator(source) : inspect_scidac_propagator(source);
}

LinkChecksum write_propagator(const std::string& path, const ProcessGrid& grid, const Field& propagator,
                              const PropagatorWriteOptions& options, const WrittenFileCheck& check) {
  const Geometry& geometry = propagator.geometry();
  const ByteOrder order = options.format == PropagatorFormat::scidac ? ByteOrder::big : ByteOrder::little;
  const PropagatorKind quarks = quarks_of(propagator);
  PropagatorCodec codec(propagator, site_numbers(options.format, quarks), options.precision, order,
                        options.phases);
  return write_records(
      path, grid, geometry, {record_bytes(quarks, options.precision), order, ChecksumKind::scidac, {}},
      [&] {
        return make_file(path, options.format,
                         {geometry.global(), quarks, options.precision, options.metadata, options.phases});
      },
      [&](std::int64_t first, std::int64_t rows, std::span<std::byte> bytes) {
        codec.encode(first, rows, bytes);
      },
      [&] { codec.check(grid, ErrorKind::output_file, "cannot write " + path); }, check);
}

PropagatorReadReport read_propagator(const std::string& path, const ProcessGrid& grid, Field& propagator) {
  PropagatorReadReport report;
  report.info = shared_info(path, grid);
  const PropagatorFileInfo& info = report.info;
  const Geometry& geometry = propagator.geometry();
  if (info.extents != geometry.global())
    throw Error(ErrorKind::input_file,
                fmt::format("{}: it holds a propagator on {}, the job's lattice is {}", path,
                            to_string(info.extents), to_string(geometry.global())));
  if (info.quarks != quarks_of(propagator))
    throw Error(ErrorKind::input_file, fmt::format("{}: expected a propagator of {}, found one of {}", path,
                                                   described(quarks_of(propagator)), described(info.quarks)));
  for (const auto& warning : info.warnings) log::warning(warning);

  report.checksum = LinkChecksum{ChecksumKind::scidac, 0, 0};
  const auto read = [&](std::uint64_t offset, int bytes, const std::optional<LinkChecksum>& expected,
                        std::optional<int> column) {
    PropagatorCodec codec(propagator, info.numbers, info.precision, info.order, info.phases, column);
    const LinkChecksum found =
        read_records(path, grid, geometry, offset, {bytes, info.order, ChecksumKind::scidac, {}},
                     [&](std::int64_t first, std::int64_t rows, std::span<std::byte> some) {
                       codec.decode(first, rows, some);
                     });
    propagator.touch();
    if (expected && *expected != found)
      throw Error(
          ErrorKind::input_file,
          fmt::format("{}: the propagator is damaged{}: expected checksum {}, found {}", path,
                      column ? fmt::format(" in column {}", *column) : "", expected->text(), found.text()));
    codec.check(grid, ErrorKind::input_file, path);
    report.checksum.a ^= found.a;
    report.checksum.b ^= found.b;
  };
  if (info.columns.empty())
    read(info.data_offset, record_bytes(info.quarks, info.precision), info.checksum, std::nullopt);
  for (std::size_t i = 0; i < info.columns.size(); ++i)
    read(info.columns[i].offset, column_bytes(info.quarks, info.precision), info.columns[i].checksum,
         static_cast<int>(i));
  return report;
}

}  // namespace plaq

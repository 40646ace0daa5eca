#include "io/propagator_file.hpp"

#include <fmt/format.h>

#include "comms/collective.hpp"
#include "comms/mpi_check.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "io/file_seal.hpp"
#include "io/lime.hpp"
#include "io/link_sum.hpp"
#include "io/propagator_codec.hpp"
#include "io/propagator_formats.hpp"
#include "io/site_file.hpp"
#include "io/temporary_file.hpp"

namespace plaq {
namespace {

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
                           info.data_offset,
                           info.data_bytes,
                           word(info.checksum.has_value()),
                           info.checksum ? word(info.checksum->a) << 32 | info.checksum->b : 0,
                           info.warnings.size()};
  wait_mpi("MPI_Bcast", [&] { return MPI_Bcast(words, std::size(words), MPI_UINT64_T, 0, grid.comm()); });
  info.path = path;
  info.format = static_cast<PropagatorFormat>(words[0]);
  info.precision = static_cast<Precision>(words[1]);
  info.order = static_cast<ByteOrder>(words[2]);
  for (std::size_t mu = 0; mu < 4; ++mu) info.extents[mu] = static_cast<int>(words[3 + mu]);
  info.data_offset = words[7];
  info.data_bytes = words[8];
  if (words[9])
    info.checksum = LinkChecksum{ChecksumKind::scidac, static_cast<std::uint32_t>(words[10] >> 32),
                                 static_cast<std::uint32_t>(words[10])};
  info.metadata = broadcast(grid.comm(), std::move(info.metadata));
  info.warnings.resize(words[11]);
  for (auto& warning : info.warnings) warning = broadcast(grid.comm(), std::move(warning));
  return info;
}

// On rank 0: the file under its temporary name, everything but the numbers.
class FramedFile {
 public:
  FramedFile(const std::string& path, const Extents& extents, const PropagatorWriteOptions& options)
      : path_(path), extents_(extents), options_(options) {
    if (options.format == PropagatorFormat::hdf5) {
      if (options.metadata.find('\0') != std::string::npos)
        throw Error(ErrorKind::output_file, fmt::format("cannot write {}: its text has a zero byte", path));
      temporary_.emplace(path, 0);
      const auto place =
          create_hdf5_propagator(temporary_->name(), path, extents, options.precision, options.metadata);
      hdf5_bytes_ = place.file_bytes;
      temporary_->resize(hdf5_bytes_ + edge_seal_bytes);
      data_offset_ = place.data_offset;
    } else {
      const GaugeFileFrame sizes = frame({ChecksumKind::scidac});
      data_offset_ = sizes.head.size();
      temporary_.emplace(path, tail_offset() + sizes.tail.size());
    }
  }

  const std::string& name() const { return temporary_->name(); }
  std::uint64_t data_offset() const { return data_offset_; }

  void complete(const LinkChecksum& checksum) {
    if (options_.format == PropagatorFormat::hdf5) {
      set_hdf5_checksum(temporary_->name(), path_, checksum);
      const auto seal =
          make_edge_seal(ByteSource::file(temporary_->name()), hdf5_bytes_, {data_offset_, data_bytes()});
      temporary_->write(hdf5_bytes_, seal);
    } else {
      const GaugeFileFrame parts = frame(checksum);
      temporary_->write(0, std::as_bytes(std::span(parts.head)));
      temporary_->write(tail_offset(), std::as_bytes(std::span(parts.tail)));
    }
  }
  void publish() { temporary_->publish(); }

 private:
  std::uint64_t data_bytes() const { return propagator_bytes(path_, extents_, options_.precision); }
  std::uint64_t tail_offset() const { return data_offset_ + data_bytes(); }
  GaugeFileFrame frame(const LinkChecksum& checksum) const {
    try {
      return frame_scidac_propagator(extents_, options_.precision, options_.metadata, checksum);
    } catch (const Error& error) {
      throw Error(ErrorKind::output_file, fmt::format("cannot write {}: {}", path_, error.what()));
    }
  }

  std::string path_;
  Extents extents_;
  const PropagatorWriteOptions& options_;
  std::uint64_t data_offset_ = 0, hdf5_bytes_ = 0;
  std::optional<TemporaryFile> temporary_;
};

}  // namespace

bool is_propagator(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  return is_lime(source) ? is_scidac_propagator(source) : is_hdf5_propagator(source);
}

PropagatorFileInfo inspect_propagator(const std::string& path) {
  const ByteSource source = ByteSource::file(path);
  return is_lime(source) ? inspect_scidac_propagator(source) : inspect_hdf5_propagator(path);
}

LinkChecksum write_propagator(const std::string& path, const ProcessGrid& grid, const Field& propagator,
                              const PropagatorWriteOptions& options, const WrittenFileCheck& check) {
  const Geometry& geometry = propagator.geometry();
  const ByteOrder order = options.format == PropagatorFormat::scidac ? ByteOrder::big : ByteOrder::little;
  PropagatorCodec codec(propagator, options.format, options.precision, order);
  std::optional<FramedFile> framed;  // on rank 0
  all_or_none(grid.comm(), [&] {
    if (grid.rank() == 0) framed.emplace(path, geometry.global(), options);
  });
  const std::string name = broadcast(grid.comm(), framed ? framed->name() : "");
  const std::string offset = broadcast(grid.comm(), framed ? std::to_string(framed->data_offset()) : "");

  LinkSum sum(ChecksumKind::scidac, order, record_bytes(options.precision));
  {
    SiteFile file(grid, geometry, name, SiteFile::Mode::write,
                  {std::stoull(offset), record_bytes(options.precision), {}}, path);
    for (int p = 0; p < file.pieces(); ++p) {
      const auto rows = file.to_fill(p);
      codec.encode(rows.first, rows.count, rows.bytes);
      file.write(p);
      sum.add(file.slab().first_record, file.slab().bytes);
    }
    codec.check(grid, ErrorKind::output_file, "cannot write " + path);
    file.finish();
  }
  const LinkChecksum checksum = sum.combine(grid);
  all_or_none(grid.comm(), [&] {
    if (framed) framed->complete(checksum);
  });
  if (check) check(name, checksum);
  all_or_none(grid.comm(), [&] {
    if (framed) framed->publish();
  });
  return checksum;
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
  for (const auto& warning : info.warnings) log::warning(warning);

  PropagatorCodec codec(propagator, info.format, info.precision, info.order);
  LinkSum sum(ChecksumKind::scidac, info.order, record_bytes(info.precision));
  {
    SiteFile file(grid, geometry, path, SiteFile::Mode::read,
                  {info.data_offset, record_bytes(info.precision), {}}, path);
    for (int p = 0; p < file.pieces(); ++p) {
      const auto rows = file.read(p);
      sum.add(file.slab().first_record, file.slab().bytes);
      codec.decode(rows.first, rows.count, rows.bytes);
    }
  }
  propagator.touch();
  report.checksum = sum.combine(grid);
  if (info.checksum && *info.checksum != report.checksum)
    throw Error(ErrorKind::input_file,
                fmt::format("{}: the propagator is damaged: expected checksum {}, found {}", path,
                            info.checksum->text(), report.checksum.text()));
  codec.check(grid, ErrorKind::input_file, path);
  return report;
}

}  // namespace plaq

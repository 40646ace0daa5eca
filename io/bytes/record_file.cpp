#include "io/bytes/record_file.hpp"

#include <fmt/format.h>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "io/gauge/link_sum.hpp"

namespace plaq {

LinkChecksum read_records(const std::string& path, const ProcessGrid& grid, const Geometry& geometry,
                          std::uint64_t offset, const RecordFormat& format, const MoveRows& decode) {
  LinkSum sum(format.checksum, format.order, format.bytes);
  SiteFile file(grid, geometry, path, SiteFile::Mode::read, {offset, format.bytes, format.sites}, path);
  for (int p = 0; p < file.pieces(); ++p) {
    const auto rows = file.read(p);
    sum.add(file.slab().first_record, file.slab().bytes);
    decode(rows.first, rows.count, rows.bytes);
  }
  return sum.combine(grid);
}

FramedFile::FramedFile(const std::string& path, std::uint64_t data_bytes, ChecksumKind kind, Frame frame)
    : path_(path), frame_(std::move(frame)), data_bytes_(data_bytes) {
  const GaugeFileFrame sizes = framed({kind});
  head_bytes_ = sizes.head.size();
  temporary_.emplace(path, head_bytes_ + data_bytes_ + sizes.tail.size());
}

void FramedFile::complete(std::span<const LinkChecksum> checksums) {
  const GaugeFileFrame parts = framed(checksums.front());
  require(parts.head.size() == head_bytes_, "the size of a file's header depends on its checksum");
  temporary_->write(0, std::as_bytes(std::span(parts.head)));
  temporary_->write(head_bytes_ + data_bytes_, std::as_bytes(std::span(parts.tail)));
}

GaugeFileFrame FramedFile::framed(const LinkChecksum& checksum) const {
  try {
    return frame_(checksum);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("cannot write {}: {}", path_, error.what()));
  }
}

LinkChecksum write_records(const std::string& path, const ProcessGrid& grid, const Geometry& geometry,
                           const RecordFormat& format,
                           const std::function<std::unique_ptr<UnnamedFile>()>& make, const MoveRows& encode,
                           const std::function<void()>& check_records, const WrittenFileCheck& check) {
  return write_columns(
      path, grid, geometry, {format}, make,
      [&](std::size_t, std::int64_t first, std::int64_t count, std::span<std::byte> bytes) {
        encode(first, count, bytes);
      },
      check_records, check);
}

LinkChecksum write_columns(
    const std::string& path, const ProcessGrid& grid, const Geometry& geometry,
    const std::vector<RecordFormat>& formats, const std::function<std::unique_ptr<UnnamedFile>()>& make,
    const std::function<void(std::size_t, std::int64_t, std::int64_t, std::span<std::byte>)>& encode,
    const std::function<void()>& check_records, const WrittenFileCheck& check) {
  std::unique_ptr<UnnamedFile> unnamed;  // on rank 0
  all_or_none(grid.comm(), [&] {
    if (grid.rank() == 0) unnamed = make();
  });
  const std::string name = broadcast(grid.comm(), unnamed ? unnamed->name() : "");
  std::vector<LinkChecksum> checksums;
  LinkChecksum all{formats.empty() ? ChecksumKind::none : formats.front().checksum};
  for (std::size_t column = 0; column < formats.size(); ++column) {
    const RecordFormat& format = formats[column];
    const std::string offset =
        broadcast(grid.comm(), unnamed ? std::to_string(unnamed->data_offset(column)) : "");
    LinkSum sum(format.checksum, format.order, format.bytes);
    SiteFile file(grid, geometry, name, SiteFile::Mode::write,
                  {std::stoull(offset), format.bytes, format.sites}, path);
    for (int p = 0; p < file.pieces(); ++p) {
      const auto rows = file.to_fill(p);
      encode(column, rows.first, rows.count, rows.bytes);
      file.write(p);
      sum.add(file.slab().first_record, file.slab().bytes);
    }
    if (column + 1 == formats.size()) check_records();
    file.finish();
    checksums.push_back(sum.combine(grid));
    all.a ^= checksums.back().a;
    all.b ^= checksums.back().b;
  }
  all_or_none(grid.comm(), [&] {
    if (unnamed) unnamed->complete(checksums);
  });
  if (check && !runs_dry()) check(name, all);
  all_or_none(grid.comm(), [&] {
    if (unnamed) unnamed->publish();
  });
  return all;
}

}  // namespace plaq

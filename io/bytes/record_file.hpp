// Files of equal records, one a site, with other bytes around them: what all readers and writers of fields
// share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "io/bytes/site_file.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/gauge/link_checksum.hpp"

namespace plaq {

// Storage of the records of a file, and their checksums.
struct RecordFormat {
  int bytes = 0;  // of a record
  ByteOrder order = ByteOrder::big;
  ChecksumKind checksum = ChecksumKind::scidac;
  SiteOrder sites;
};

// Moves `count` of this rank's rows from row `first` on (SiteFile::Rows) between their bytes and a field.
using MoveRows = std::function<void(std::int64_t first, std::int64_t count, std::span<std::byte> bytes)>;

// Collective. Hands all records, which begin at byte `offset`, to `decode`; returns their checksum. Throws
// Error(input_file), the same on every rank.
LinkChecksum read_records(const std::string& path, const ProcessGrid& grid, const Geometry& geometry,
                          std::uint64_t offset, const RecordFormat& format, const MoveRows& decode);

// A file without its name yet, on the rank that makes it. Serial; throws Error(output_file).
class UnnamedFile {
 public:
  virtual ~UnnamedFile() = default;

  virtual const std::string& name() const = 0;                      // the temporary one
  virtual std::uint64_t data_offset(std::size_t column) const = 0;  // of its records
  // Writes all that is around the records; a checksum for each column.
  virtual void complete(std::span<const LinkChecksum> checksums) = 0;
  virtual void publish() = 0;  // gives it its name
};

// One with bytes before and behind the records.
class FramedFile : public UnnamedFile {
 public:
  using Frame = std::function<GaugeFileFrame(const LinkChecksum&)>;

  // `frame`: its sizes do not depend on the checksum. Errors that it throws are told to be about `path`.
  FramedFile(const std::string& path, std::uint64_t data_bytes, ChecksumKind kind, Frame frame);

  const std::string& name() const override { return temporary_->name(); }
  std::uint64_t data_offset(std::size_t) const override { return head_bytes_; }
  void complete(std::span<const LinkChecksum> checksums) override;
  void publish() override { temporary_->publish(); }

 private:
  GaugeFileFrame framed(const LinkChecksum& checksum) const;

  std::string path_;
  Frame frame_;
  std::uint64_t head_bytes_ = 0, data_bytes_ = 0;
  std::optional<TemporaryFile> temporary_;
};

// Collective. `make` is called on rank 0 and may throw, as `encode` may not; `check_records`, collective, is
// called when all records are encoded, and `check` when the file is complete: what they throw keeps an older
// file. Returns the checksum. Throws Error(output_file), the same on every rank.
LinkChecksum write_records(const std::string& path, const ProcessGrid& grid, const Geometry& geometry,
                           const RecordFormat& format,
                           const std::function<std::unique_ptr<UnnamedFile>()>& make, const MoveRows& encode,
                           const std::function<void()>& check_records, const WrittenFileCheck& check);

// Writes several fields one after the other into the file, each with a checksum: columns, one for each
// format. Returns all checksums, xored.
LinkChecksum write_columns(const std::string& path, const ProcessGrid& grid, const Geometry& geometry,
                           const std::vector<RecordFormat>& formats,
                           const std::function<std::unique_ptr<UnnamedFile>()>& make,
                           const std::function<void(std::size_t column, std::int64_t first,
                                                    std::int64_t count, std::span<std::byte>)>& encode,
                           const std::function<void()>& check_records, const WrittenFileCheck& check);

}  // namespace plaq

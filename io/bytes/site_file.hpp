// A file of equal records, one a site, which all ranks read or write together. What the records mean is the
// caller's business.
//
// The file is moved in pieces. Of each piece every rank reads or writes one slab of consecutive bytes, by
// itself, and the ranks of a group (io/bytes/site_runs.hpp) exchange rows: no rank holds
// more than about two slabs, and a rank whose rows follow each other in the file exchanges nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/system/dry_run.hpp"
#include "io/bytes/site_runs.hpp"

namespace plaq {

class SiteFile {
 public:
  enum class Mode { read, write };
  struct Records {
    std::uint64_t offset = 0;  // of the first one in the file
    int bytes = 0;             // of each
    SiteOrder order;
  };
  struct Sizes {
    std::int64_t slab = 16 << 20;  // bytes that a rank reads or writes at once
    std::int64_t run = 1 << 20;    // least bytes of a run
  };

  // Collective. `path` must exist and be as long as it is to be; messages call it `shown_path`. Every
  // function throws the same Error (input_file or output_file) on all ranks.
  SiteFile(const ProcessGrid& grid, const Geometry& geometry, const std::string& path, Mode mode,
           const Records& records, std::string shown_path, const Sizes& sizes);
  SiteFile(const ProcessGrid& grid, const Geometry& geometry, const std::string& path, Mode mode,
           const Records& records, std::string shown_path)
      : SiteFile(grid, geometry, path, mode, records, std::move(shown_path), Sizes{}) {}
  ~SiteFile();
  SiteFile(const SiteFile&) = delete;
  SiteFile& operator=(const SiteFile&) = delete;

  // Memory of a rank, from the constructor to the destructor; members of a group differ by a few rows.
  static std::size_t bytes(const Geometry& geometry, const Records& records, const Sizes& sizes);
  static std::size_t bytes(const Geometry& geometry, const Records& records) {
    return bytes(geometry, records, Sizes{});
  }

  // All ranks have the same number of pieces, and go through them together, in any order.
  int pieces() const;
  // This rank's rows of a piece: consecutive ones of its rows in the order of the file. The bytes are valid
  // until the next call.
  struct Rows {
    std::int64_t first = 0, count = 0;
    std::span<std::byte> bytes;
  };
  Rows read(int piece);     // collective
  Rows to_fill(int piece);  // for writing: then
  void write(int piece);    // collective
  // Part that this rank itself read or wrote last: consecutive records of the file.
  struct Slab {
    std::int64_t first_record = 0;
    std::span<const std::byte> bytes;
  };
  Slab slab() const { return slab_; }
  void finish();  // collective: on disk, and closed

 private:
  struct Piece {
    std::int64_t run = 0, first_row = 0, rows = 0;  // rows of the run, those of other members included
  };
  struct Room {
    std::int64_t piece_rows = 0;
    std::size_t slab = 0, sorted = 0, own = 0;  // bytes
  };
  static Room room_for(const SiteRuns& runs, const Records& records, const Sizes& sizes);
  Piece piece(int number) const;
  std::int64_t slab_begin(const Piece& piece, int member) const;  // its first row
  Rows place(const Piece& piece);
  [[noreturn]] void fail(const std::string& what, int reason) const;  // 0: the end of the file
  void transfer(std::span<std::byte> bytes);
  void exchange(const Piece& piece, bool to_owners);

  const ProcessGrid& grid_;
  Mode mode_;
  Records records_;
  std::string shown_path_;
  SiteRuns runs_;
  std::int64_t row_bytes_ = 0, piece_rows_ = 0;
  Communicator group_;
  int descriptor_ = -1;
  // Bytes as in the file; sorted by owner; of this rank's rows. A group of one needs the first only.
  std::vector<std::byte> slab_bytes_, sorted_, own_;
  CountedMemory counted_;  // in a dry run, instead
  Slab slab_;
};

}  // namespace plaq

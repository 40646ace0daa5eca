// A file of equal records, one a site, in lexicographic order of the whole lattice (x fastest), which all
// ranks read or write together, each its own sites (MPI-IO, collective).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>

#include "comms/process_grid.hpp"

namespace plaq {

class SiteFile {
 public:
  enum class Mode { read, write };

  // Collective. `path` must exist; messages call it `shown_path`. The records begin at byte `offset`.
  // Every function throws the same Error (input_file or output_file) on all ranks.
  SiteFile(const ProcessGrid& grid, const Geometry& geometry, const std::string& path, Mode mode,
           std::uint64_t offset, int record_bytes, std::string shown_path);
  ~SiteFile();  // collective
  SiteFile(const SiteFile&) = delete;
  SiteFile& operator=(const SiteFile&) = delete;

  // A piece is a run of this rank's sites in lexicographic order: whole rows of x, few enough for a buffer.
  // All ranks have the same number of pieces, and go through them together.
  int pieces() const { return (rows_ + rows_per_piece_ - 1) / rows_per_piece_; }
  struct Piece {
    int first_row = 0, rows = 0;
    std::size_t bytes = 0;
  };
  Piece piece(int number) const;

  void read(const Piece& piece, std::span<std::byte> to);
  void write(const Piece& piece, std::span<const std::byte> from);
  void sync();

 private:
  void open(const std::string& path, const Geometry& geometry, std::uint64_t offset);
  void agree(int status, const char* what) const;
  void agree_count(int status, const MPI_Status& moved, const Piece& piece, const char* what) const;

  const ProcessGrid& grid_;
  Mode mode_;
  std::string shown_path_;
  int row_sites_ = 0, rows_ = 0, rows_per_piece_ = 1, record_bytes_ = 0;
  MPI_File file_ = MPI_FILE_NULL;
  MPI_Datatype record_ = MPI_DATATYPE_NULL;
};

}  // namespace plaq

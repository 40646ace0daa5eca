#include "io/site_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "comms/collective.hpp"
#include "comms/mpi_check.hpp"

namespace plaq {
namespace {

constexpr int piece_bytes = 16 << 20;  // MPI-IO may take as much again

}  // namespace

SiteFile::SiteFile(const ProcessGrid& grid, const Geometry& geometry, const std::string& path, Mode mode,
                   std::uint64_t offset, int record_bytes, std::string shown_path)
    : grid_(grid), mode_(mode), shown_path_(std::move(shown_path)), record_bytes_(record_bytes) {
  const Extents& local = geometry.local();
  row_sites_ = local[0];
  rows_ = static_cast<int>(geometry.local_volume() / row_sites_);
  rows_per_piece_ = std::max(1, piece_bytes / (row_sites_ * record_bytes_));
  open(path, geometry, offset);
}

void SiteFile::open(const std::string& path, const Geometry& geometry, std::uint64_t offset) {
  // Writers may have to read too: MPI-IO fills gaps by reading, changing and writing back.
  const int access = mode_ == Mode::read ? MPI_MODE_RDONLY : MPI_MODE_RDWR;
  int status = MPI_File_open(grid_.comm(), path.c_str(), access, MPI_INFO_NULL, &file_);
  if (status != MPI_SUCCESS) file_ = MPI_FILE_NULL;
  agree(status, "opening");

  int sizes[4], subsizes[4], starts[4];  // slowest direction first
  const Extents first = geometry.offset();
  for (std::size_t i = 0; i < 4; ++i) {
    sizes[i] = geometry.global()[3 - i];
    subsizes[i] = geometry.local()[3 - i];
    starts[i] = first[3 - i];
  }
  MPI_Datatype mine = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(record_bytes_, MPI_BYTE, &record_), "MPI_Type_contiguous");
  check_mpi(MPI_Type_commit(&record_), "MPI_Type_commit");
  check_mpi(MPI_Type_create_subarray(4, sizes, subsizes, starts, MPI_ORDER_C, record_, &mine),
            "MPI_Type_create_subarray");
  check_mpi(MPI_Type_commit(&mine), "MPI_Type_commit");
  status = MPI_File_set_view(file_, static_cast<MPI_Offset>(offset), record_, mine, "native", MPI_INFO_NULL);
  MPI_Type_free(&mine);
  try {
    agree(status, "setting the view");
  } catch (...) {  // no destructor will run
    MPI_File_close(&file_);
    MPI_Type_free(&record_);
    throw;
  }
}

SiteFile::~SiteFile() {
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  if (record_ != MPI_DATATYPE_NULL) MPI_Type_free(&record_);
}

SiteFile::Piece SiteFile::piece(int number) const {
  Piece piece;
  piece.first_row = number * rows_per_piece_;
  piece.rows = std::min(rows_per_piece_, rows_ - piece.first_row);
  piece.bytes = static_cast<std::size_t>(piece.rows) * static_cast<std::size_t>(row_sites_ * record_bytes_);
  return piece;
}

void SiteFile::agree(int status, const char* what) const {
  all_or_none(grid_.comm(), [&] {
    if (status == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(status, text, &length);
    const bool reading = mode_ == Mode::read;
    throw Error(reading ? ErrorKind::input_file : ErrorKind::output_file,
                fmt::format("cannot {} {}: {} on rank {}: {}", reading ? "read" : "write", shown_path_, what,
                            grid_.rank(), std::string_view(text, static_cast<std::size_t>(length))));
  });
}

void SiteFile::agree_count(int status, const MPI_Status& moved, const Piece& piece, const char* what) const {
  int records = 0;
  if (status == MPI_SUCCESS) status = MPI_Get_count(&moved, record_, &records);
  if (status == MPI_SUCCESS && records != piece.rows * row_sites_) status = MPI_ERR_IO;
  agree(status, what);
}

void SiteFile::read(const Piece& piece, std::span<std::byte> to) {
  require(to.size() >= piece.bytes, "a piece of a site file does not fit its buffer");
  const MPI_Offset first = static_cast<MPI_Offset>(piece.first_row) * row_sites_;
  MPI_Status moved;
  const int status = MPI_File_read_at_all(file_, first, to.data(), piece.rows * row_sites_, record_, &moved);
  agree_count(status, moved, piece, "reading");
}

void SiteFile::write(const Piece& piece, std::span<const std::byte> from) {
  require(from.size() >= piece.bytes, "a piece of a site file is larger than its buffer");
  const MPI_Offset first = static_cast<MPI_Offset>(piece.first_row) * row_sites_;
  MPI_Status moved;
  const int status =
      MPI_File_write_at_all(file_, first, from.data(), piece.rows * row_sites_, record_, &moved);
  agree_count(status, moved, piece, "writing");
}

void SiteFile::sync() { agree(MPI_File_sync(file_), "syncing"); }

}  // namespace plaq

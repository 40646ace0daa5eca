#include "io/bytes/site_file.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "comms/communicator/collective.hpp"

namespace plaq {
namespace {

const char* verb(SiteFile::Mode mode) { return mode == SiteFile::Mode::read ? "read" : "write"; }
ErrorKind kind_of_failure(SiteFile::Mode mode) {
  return mode == SiteFile::Mode::read ? ErrorKind::input_file : ErrorKind::output_file;
}

}  // namespace

SiteFile::Room SiteFile::room_for(const SiteRuns& runs, const Records& records, const Sizes& sizes) {
  const std::int64_t row_bytes = runs.row_records() * records.bytes;
  const auto members = static_cast<std::int64_t>(runs.group_size());
  Room room;
  room.piece_rows = std::min(runs.rows_of_run(), std::max(members, members * sizes.slab / row_bytes));
  const std::int64_t slab_rows = (room.piece_rows + members - 1) / members;
  room.slab = static_cast<std::size_t>(slab_rows * row_bytes);
  if (members == 1) return room;
  room.sorted = room.slab;
  std::int64_t own_rows = 0;  // of a piece, at most
  for (std::int64_t first = 0; first < runs.rows_of_run(); first += room.piece_rows)
    own_rows = std::max(own_rows, runs.own_rows(first + room.piece_rows) - runs.own_rows(first));
  room.own = static_cast<std::size_t>(own_rows * row_bytes);
  return room;
}

std::size_t SiteFile::bytes(const Geometry& geometry, const Records& records, const Sizes& sizes) {
  const Room room = room_for(SiteRuns(geometry, records.order, records.bytes, sizes.run), records, sizes);
  return room.slab + room.sorted + room.own;
}

SiteFile::SiteFile(const ProcessGrid& grid, const Geometry& geometry, const std::string& path, Mode mode,
                   const Records& records, std::string shown_path, const Sizes& sizes)
    : grid_(grid),
      mode_(mode),
      records_(records),
      shown_path_(std::move(shown_path)),
      runs_(geometry, records.order, records.bytes, sizes.run) {
  row_bytes_ = runs_.row_records() * records.bytes;
  const Room room = room_for(runs_, records, sizes);
  piece_rows_ = room.piece_rows;
  if (runs_dry()) {
    counted_ = CountedMemory("part of a file", room.slab + room.sorted + room.own);
    return;
  }
  if (runs_.group_size() > 1) group_ = grid.comm().split(runs_.group(), runs_.member());
  try {
    all_or_none(grid.comm(), [&] {
      const int access = mode == Mode::read ? O_RDONLY : O_WRONLY;
      descriptor_ = ::open(path.c_str(), access | O_CLOEXEC);
      if (descriptor_ < 0) fail("opening", errno);
      slab_bytes_.resize(room.slab);
      sorted_.resize(room.sorted);
      own_.resize(room.own);
    });
  } catch (...) {  // no destructor will run
    if (descriptor_ >= 0) ::close(descriptor_);
    throw;
  }
}

SiteFile::~SiteFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int SiteFile::pieces() const {
  if (runs_dry()) return 0;
  return static_cast<int>(runs_.runs() * ((runs_.rows_of_run() + piece_rows_ - 1) / piece_rows_));
}

SiteFile::Piece SiteFile::piece(int number) const {
  const std::int64_t pieces_of_run = (runs_.rows_of_run() + piece_rows_ - 1) / piece_rows_;
  Piece piece;
  piece.run = number / pieces_of_run;
  piece.first_row = number % pieces_of_run * piece_rows_;
  piece.rows = std::min(piece_rows_, runs_.rows_of_run() - piece.first_row);
  return piece;
}

std::int64_t SiteFile::slab_begin(const Piece& piece, int member) const {
  return piece.first_row + piece.rows * member / runs_.group_size();
}

// Places of this rank's slab and rows of a piece, in the file and in the buffers.
SiteFile::Rows SiteFile::place(const Piece& piece) {
  const std::int64_t begin = slab_begin(piece, runs_.member()), end = slab_begin(piece, runs_.member() + 1);
  slab_.first_record = runs_.first_record(piece.run) + begin * runs_.row_records();
  slab_.bytes = std::span(slab_bytes_).first(static_cast<std::size_t>((end - begin) * row_bytes_));
  const std::int64_t before = runs_.own_rows(piece.first_row);
  Rows rows;
  rows.first = piece.run * runs_.own_rows(runs_.rows_of_run()) + before;
  rows.count = runs_.own_rows(piece.first_row + piece.rows) - before;
  auto& buffer = runs_.group_size() == 1 ? slab_bytes_ : own_;
  rows.bytes = std::span(buffer).first(static_cast<std::size_t>(rows.count * row_bytes_));
  return rows;
}

SiteFile::Rows SiteFile::read(int number) {
  const Piece p = piece(number);
  const Rows rows = place(p);
  transfer(std::span(slab_bytes_).first(slab_.bytes.size()));
  if (runs_.group_size() > 1) exchange(p, true);
  return rows;
}

SiteFile::Rows SiteFile::to_fill(int number) { return place(piece(number)); }

void SiteFile::write(int number) {
  const Piece p = piece(number);
  place(p);
  if (runs_.group_size() > 1) exchange(p, false);
  transfer(std::span(slab_bytes_).first(slab_.bytes.size()));
}

void SiteFile::fail(const std::string& what, int reason) const {
  throw Error(kind_of_failure(mode_),
              fmt::format("cannot {} {}: {} on rank {}: {}", verb(mode_), shown_path_, what, grid_.rank(),
                          reason == 0 ? "the file ends before" : std::strerror(reason)));
}

// Moves the slab between file and memory. Each rank for itself, so that no failure of one keeps the others
// waiting, and not by MPI-IO: Open MPI 4.1 returns success from a write that failed.
void SiteFile::transfer(std::span<std::byte> bytes) {
  all_or_none(grid_.comm(), [&] {
    const auto first = static_cast<std::int64_t>(records_.offset) + slab_.first_record * records_.bytes;
    while (!bytes.empty()) {
      const auto at = static_cast<off_t>(first + (std::ssize(slab_.bytes) - std::ssize(bytes)));
      const ssize_t moved = mode_ == Mode::read ? ::pread(descriptor_, bytes.data(), bytes.size(), at)
                                                : ::pwrite(descriptor_, bytes.data(), bytes.size(), at);
      if (moved < 0 && errno == EINTR) continue;
      if (moved <= 0) fail(fmt::format("{} bytes at byte {}", bytes.size(), at), moved < 0 ? errno : 0);
      bytes = bytes.subspan(static_cast<std::size_t>(moved));
    }
  });
}

// Between the slabs and the owners of their rows. The rows that an owner gets from one member after the
// other are in the order of the file, so that only the slab's side sorts.
void SiteFile::exchange(const Piece& piece, bool to_owners) {
  const auto members = static_cast<std::size_t>(runs_.group_size());
  std::vector<int> slab_counts(members), slab_starts(members), own_counts(members), own_starts(members);
  const std::int64_t begin = slab_begin(piece, runs_.member()), end = slab_begin(piece, runs_.member() + 1);
  std::vector<int> owners(static_cast<std::size_t>(end - begin));
#pragma omp parallel for schedule(static)
  for (std::int64_t row = begin; row < end; ++row)
    owners[static_cast<std::size_t>(row - begin)] = runs_.owner(row);
  for (const int owner : owners) ++slab_counts[static_cast<std::size_t>(owner)];
  for (std::size_t m = 0; m < members; ++m) {
    const auto member = static_cast<int>(m);
    own_counts[m] = static_cast<int>(runs_.own_rows(slab_begin(piece, member + 1)) -
                                     runs_.own_rows(slab_begin(piece, member)));
    if (m == 0) continue;
    slab_starts[m] = slab_starts[m - 1] + slab_counts[m - 1];
    own_starts[m] = own_starts[m - 1] + own_counts[m - 1];
  }
  std::vector<std::size_t> sorted_at(owners.size());  // bytes
  std::vector<int> next = slab_starts;
  const auto row_bytes = static_cast<std::size_t>(row_bytes_);
  for (std::size_t i = 0; i < owners.size(); ++i)
    sorted_at[i] = static_cast<std::size_t>(next[static_cast<std::size_t>(owners[i])]++) * row_bytes;
  const auto sort = [&](bool out) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < owners.size(); ++i) {
      std::byte *sorted = sorted_.data() + sorted_at[i], *slab = slab_bytes_.data() + i * row_bytes;
      std::memcpy(out ? sorted : slab, out ? slab : sorted, row_bytes);
    }
  };
  const Communicator::Shares of_slab{slab_counts, slab_starts}, of_owner{own_counts, own_starts};
  if (to_owners) {
    sort(true);
    group_.all_to_all_items(sorted_.data(), of_slab, own_.data(), of_owner, row_bytes);
  } else {
    group_.all_to_all_items(own_.data(), of_owner, sorted_.data(), of_slab, row_bytes);
    sort(false);
  }
}

// Closed here, since some file systems report only then what they could not write.
void SiteFile::finish() {
  if (runs_dry()) return;
  all_or_none(grid_.comm(), [&] {
    if (mode_ == Mode::write && ::fsync(descriptor_) != 0) fail("syncing to disk", errno);
    if (::close(std::exchange(descriptor_, -1)) != 0) fail("closing", errno);
  });
}

}  // namespace plaq

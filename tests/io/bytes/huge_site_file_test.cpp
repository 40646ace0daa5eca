// Files of terabytes, of a lattice on 512 ranks. The ranks of this test stand for one group of those 512
// after the other (tests/io/rank_groups.hpp). Files are sparse: records of other ranks take no room.
#include <fcntl.h>
#include <unistd.h>

#include "io/bytes/site_file.hpp"
#include "io/gauge/link_sum.hpp"
#include "tests/io/rank_groups.hpp"
#include "tests/support/system_io.hpp"

namespace plaq::huge_site_file_test {
namespace {

using test::world_size;
using Mode = SiteFile::Mode;

constexpr Extents global{128, 128, 128, 4096};
constexpr std::int64_t sites = std::int64_t{128} * 128 * 128 * 4096;
constexpr std::uint64_t offset = 1001;

// Run `run` of the group at this position; one record of it has numbers.
struct Part {
  Extents position;
  std::int64_t run = 0, record = 0;
};

class HugeSiteFile : public testing::TestWithParam<SiteOrder> {
 protected:
  HugeSiteFile()
      : grid_(MPI_COMM_WORLD, test::grid_of_group(order_)),
        fits_(test::make_sparse(path_, offset + static_cast<std::uint64_t>(records_ * record_bytes_))) {}

  std::byte byte_of(std::int64_t record, int i) const {
    return static_cast<std::byte>(1 + (record * 31 + record / 7 + i * 3) % 255);  // 0 is a hole
  }
  // Records: the first; behind 2^31 and 2^32 bytes; behind 2^31 and, if there are as many, 2^32 records; the
  // last.
  std::vector<Part> parts() const {
    std::vector<Part> all;
    for (const std::int64_t record : {std::int64_t{0}, (std::int64_t{1} << 31) / record_bytes_ + 3,
                                      (std::int64_t{1} << 32) / record_bytes_ + 300,
                                      (std::int64_t{1} << 31) + 77, records_ / 4 * 3 + 255, records_ - 1}) {
      Part part{{}, 0, record};
      std::int64_t rest = record, runs = 1;
      for (std::size_t i = 0; i < 4; ++i) {
        const auto mu = static_cast<std::size_t>(order_.directions[i]);
        const int halved = order_.one_parity && i == 0 ? 2 : 1;
        const std::int64_t all_of = global[mu] / halved, local = all_of / job_[mu], x = rest % all_of;
        rest /= all_of;
        part.position[mu] = i == 0 ? 0 : static_cast<int>(x / local);
        if (i < 2) continue;  // inside a run
        part.run += runs * (x % local);
        runs *= local;
      }
      all.push_back(part);
    }
    return all;
  }
  GeometryPtr geometry(const Part& part) const {
    return test::geometry_in_job(global, job_, part.position, order_);
  }
  SiteFile open(const Part& part, Mode mode) const {
    return {grid_, *geometry(part), path_, mode, {offset, record_bytes_, order_}, "a file"};
  }
  // Number in the file of each record of the rows, one row after the other.
  std::vector<std::int64_t> numbers(const Geometry& geometry, const SiteFile::Rows& rows) const {
    std::vector<std::int64_t> all;
    for (std::int64_t row = rows.first; row < rows.first + rows.count; ++row) {
      std::int64_t rest = row, number = 0, stride = 1, length = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        const auto mu = static_cast<std::size_t>(order_.directions[i]);
        const int halved = order_.one_parity && i == 0 ? 2 : 1;
        const std::int64_t local = geometry.local()[mu];
        number += stride * (geometry.offset()[mu] / halved + (i == 0 ? 0 : rest % local));
        if (i == 0)
          length = local / halved;
        else
          rest /= local;
        stride *= global[mu] / halved;
      }
      for (std::int64_t k = 0; k < length; ++k) all.push_back(number + k);
    }
    return all;
  }
  std::uint64_t run_bytes(const Part& part) const {
    const SiteRuns runs(*geometry(part), order_, record_bytes_, SiteFile::Sizes{}.run);
    EXPECT_EQ(runs.group_size(), world_size());
    return static_cast<std::uint64_t>(runs.rows_of_run() * runs.row_records() * record_bytes_);
  }
  void write(const Part& part) const;
  void read(const Part& part) const;

  const SiteOrder order_ = GetParam();
  const int record_bytes_ = order_.one_parity ? 1152 : 576;  // links in double precision
  const std::int64_t records_ = order_.one_parity ? sites / 2 : sites;
  const Extents job_ = test::ranks_of_job(order_);
  const test::SharedDirectory directory_;
  const std::string path_ = directory_ / "records";
  const ProcessGrid grid_;
  const bool fits_;
};

void HugeSiteFile::write(const Part& part) const {
  int found = 0;
  SiteFile file = open(part, Mode::write);
  const int piece = static_cast<int>(part.run);  // a run is a piece
  const auto rows = file.to_fill(piece);
  std::fill(rows.bytes.begin(), rows.bytes.end(), std::byte{0});
  const auto all = numbers(*geometry(part), rows);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k] != part.record) continue;
    for (int i = 0; i < record_bytes_; ++i)
      rows.bytes[k * static_cast<std::size_t>(record_bytes_) + static_cast<std::size_t>(i)] =
          byte_of(part.record, i);
    ++found;
  }
  const test::SystemIo io;
  file.write(piece);
  if (io) {
    const auto counts = io.counts();
    EXPECT_EQ(counts.bytes_written, run_bytes(part) / static_cast<std::uint64_t>(world_size()));
    EXPECT_EQ(counts.writes, 1u);
    EXPECT_EQ(counts.reads, 0u);
  }
  file.finish();
  EXPECT_EQ(grid_.comm().sum(found), 1);
}

void HugeSiteFile::read(const Part& part) const {
  SiteFile file = open(part, Mode::read);
  const test::SystemIo io;
  const auto rows = file.read(static_cast<int>(part.run));
  if (io) {
    const auto counts = io.counts();
    EXPECT_EQ(counts.bytes_read, run_bytes(part) / static_cast<std::uint64_t>(world_size()));
    EXPECT_EQ(counts.reads, 1u);
    EXPECT_EQ(counts.writes, 0u);
  }
  const auto all = numbers(*geometry(part), rows);
  ASSERT_EQ(all.size() * static_cast<std::size_t>(record_bytes_), rows.bytes.size());
  std::int64_t wrong = 0;
  for (std::size_t k = 0; k < all.size(); ++k)
    for (int i = 0; i < record_bytes_; ++i)
      wrong += rows.bytes[k * static_cast<std::size_t>(record_bytes_) + static_cast<std::size_t>(i)] !=
               (all[k] == part.record ? byte_of(part.record, i) : std::byte{0});
  EXPECT_EQ(wrong, 0);

  // The checksum of the run knows the numbers of its records.
  LinkSum sum(ChecksumKind::scidac, ByteOrder::big, record_bytes_);
  sum.add(file.slab().first_record, file.slab().bytes);
  std::vector<std::byte> record(static_cast<std::size_t>(record_bytes_));
  const std::uint32_t hole = test::crc(record);
  for (int i = 0; i < record_bytes_; ++i) record[static_cast<std::size_t>(i)] = byte_of(part.record, i);
  LinkChecksum expected{ChecksumKind::scidac};
  for (const std::int64_t number : all)
    test::add_to_scidac(expected, number, number == part.record ? test::crc(record) : hole);
  test::combine(expected);
  EXPECT_EQ(sum.combine(grid_), expected);
}

TEST_P(HugeSiteFile, EachRankMovesItsOwnBytes) {
  if (!fits_) GTEST_SKIP() << "the file system has no sparse files of terabytes";
  for (const Part& part : parts()) {
    SCOPED_TRACE("record " + std::to_string(part.record));
    write(part);
    read(part);
  }
  // Each record is where the format has it, and nothing else was written.
  if (grid_.rank() != 0) return;
  const int file = ::open(path_.c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  for (const Part& part : parts()) {
    std::vector<std::byte> found(static_cast<std::size_t>(record_bytes_) + 2);
    const auto at = static_cast<off_t>(offset) + part.record * record_bytes_ - 1;
    const ssize_t there = part.record == records_ - 1 ? record_bytes_ + 1 : record_bytes_ + 2;
    ASSERT_EQ(::pread(file, found.data(), found.size(), at), there);
    EXPECT_EQ(found.front(), std::byte{0});
    EXPECT_EQ(found.back(), std::byte{0});
    for (int i = 0; i < record_bytes_; ++i)
      ASSERT_EQ(found[static_cast<std::size_t>(i) + 1], byte_of(part.record, i));
  }
  ::close(file);
}

// The runs of all groups of 512 ranks follow each other without gaps, from the first record to the last.
TEST_P(HugeSiteFile, RunsOfAllRanksMakeTheFile) {
  if (world_size() > 1) GTEST_SKIP() << "one rank is enough";
  Extents job{};
  for (std::size_t i = 0; i < 4; ++i)
    job[static_cast<std::size_t>(order_.directions[i])] = std::array{4, 4, 4, 8}[i];
  std::vector<std::array<std::int64_t, 2>> all;  // begin and end of each run
  for (int rank = 0; rank < 512; ++rank) {
    const auto geometry = Geometry::create({global, job, position_of(rank, job), 0});
    const SiteRuns runs(*geometry, order_, record_bytes_, SiteFile::Sizes{}.run);
    ASSERT_EQ(runs.group_size(), 4);
    for (std::int64_t run = 0; runs.member() == 0 && run < runs.runs(); ++run) {
      const std::int64_t begin = runs.first_record(run);
      all.push_back({begin, begin + runs.rows_of_run() * runs.row_records()});
    }
  }
  std::sort(all.begin(), all.end());
  std::int64_t end = 0, gaps = 0;
  for (const auto& [begin, end_of_run] : all) {
    gaps += begin != end;
    end = end_of_run;
  }
  EXPECT_EQ(gaps, 0);
  EXPECT_EQ(end, records_);
}

INSTANTIATE_TEST_SUITE_P(Orders, HugeSiteFile, testing::Values(SiteOrder{}, SiteOrder{{2, 1, 0, 3}, true}),
                         [](const auto& info) { return info.param.one_parity ? "OneParity" : "AllSites"; });

}  // namespace
}  // namespace plaq::huge_site_file_test

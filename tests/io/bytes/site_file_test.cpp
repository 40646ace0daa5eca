// Records reach their owners and their places in the file, whatever the order, the grid and the sizes of
// slabs and runs.
#include "io/bytes/site_file.hpp"

#include "tests/io/gauge/gauge_files.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

using Mode = SiteFile::Mode;
constexpr std::uint64_t offset = 5;

char byte_of(std::int64_t record, int i) { return static_cast<char>(record * 31 + record / 7 + i * 3); }

std::string expected_file(const Extents& global, const SiteOrder& order, int record_bytes) {
  std::int64_t records = order.one_parity ? 1 : 2;
  for (const int extent : global) records *= extent;
  records /= 2;
  std::string bytes(offset, 'h');
  for (std::int64_t record = 0; record < records; ++record)
    for (int i = 0; i < record_bytes; ++i) bytes += byte_of(record, i);
  return bytes;
}

// The number in the file of the first record of this rank's row.
std::int64_t first_record(const Geometry& geometry, const SiteOrder& order, std::int64_t row) {
  const Extents first = geometry.offset();
  std::int64_t record = 0, stride = 1;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto mu = static_cast<std::size_t>(order.directions[i]);
    const int halved = i == 0 && order.one_parity ? 2 : 1;
    std::int64_t x = 0;
    if (i > 0) {
      x = row % geometry.local()[mu];
      row /= geometry.local()[mu];
    }
    record += (first[mu] / halved + x) * stride;
    stride *= geometry.global()[mu] / halved;
  }
  return record;
}

std::vector<SiteFile::Sizes> all_sizes(int record_bytes) {
  return {{},
          {16 << 20, 1},
          {1, 1},
          {1, 1 << 20},
          {3 * record_bytes, 20 * record_bytes},
          {50 * record_bytes, 100 * record_bytes}};
}

void check_slab(const SiteFile& file, int record_bytes, std::int64_t& total) {
  const auto [first, bytes] = file.slab();
  for (std::size_t i = 0; i < bytes.size(); ++i)
    ASSERT_EQ(static_cast<char>(bytes[i]),
              byte_of(first + static_cast<std::int64_t>(i) / record_bytes,
                      static_cast<int>(i % static_cast<std::size_t>(record_bytes))));
  total += static_cast<std::int64_t>(bytes.size());
}

// Every byte of the file was in one slab of one rank.
void check_total(std::int64_t total, const std::string& file) {
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(total + static_cast<std::int64_t>(offset), static_cast<std::int64_t>(file.size()));
}

void write_and_check(const std::string& path, const ProcessGrid& grid, const Geometry& geometry,
                     const SiteFile::Records& records, const SiteFile::Sizes& sizes,
                     const std::string& expected) {
  test::write_bytes(path, std::string(expected.size(), 'h'));
  {
    SiteFile file(grid, geometry, path, Mode::write, records, "a file", sizes);
    std::int64_t total = 0, next = 0;
    for (int p = 0; p < file.pieces(); ++p) {
      const auto rows = file.to_fill(p);
      EXPECT_EQ(rows.first, next);
      next += rows.count;
      const std::size_t row_bytes =
          rows.count == 0 ? 1 : rows.bytes.size() / static_cast<std::size_t>(rows.count);
      for (std::size_t i = 0; i < rows.bytes.size(); ++i)
        rows.bytes[i] = static_cast<std::byte>(byte_of(
            first_record(geometry, records.order, rows.first + static_cast<std::int64_t>(i / row_bytes)) +
                static_cast<std::int64_t>(i % row_bytes) / records.bytes,
            static_cast<int>(i % row_bytes) % records.bytes));
      file.write(p);
      check_slab(file, records.bytes, total);
    }
    file.finish();
    check_total(total, expected);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_TRUE(test::read_bytes(path) == expected);
}

void read_and_check(const std::string& path, const ProcessGrid& grid, const Geometry& geometry,
                    const SiteFile::Records& records, const SiteFile::Sizes& sizes,
                    const std::string& expected) {
  SiteFile file(grid, geometry, path, Mode::read, records, "a file", sizes);
  std::int64_t total = 0, seen = 0;
  for (int p = file.pieces() - 1; p >= 0; --p) {  // in any order
    const auto rows = file.read(p);
    check_slab(file, records.bytes, total);
    seen += rows.count;
    if (rows.count == 0) continue;
    const std::size_t row_bytes = rows.bytes.size() / static_cast<std::size_t>(rows.count);
    for (std::int64_t row = 0; row < rows.count; ++row) {
      const auto at = offset + static_cast<std::uint64_t>(
                                   first_record(geometry, records.order, rows.first + row) * records.bytes);
      const auto* bytes =
          reinterpret_cast<const char*>(rows.bytes.data()) + static_cast<std::size_t>(row) * row_bytes;
      ASSERT_TRUE(std::string(bytes, row_bytes) == expected.substr(at, row_bytes));
    }
  }
  check_total(total, expected);
  const int fastest = records.order.directions[0];
  EXPECT_EQ(seen, geometry.local_volume() / geometry.local()[fastest]);
}

TEST(SiteFile, EveryGridOrderAndSize) {
  const test::SharedDirectory directory;
  const std::string path = directory / "records";
  int tried = 0;
  test::Turns turns(4);
  for (const Extents& global : {Extents{4, 4, 4, 8}, Extents{6, 2, 10, 4}, Extents{2, 2, 2, 2}})
    for (const Extents& ranks : allowed_grids(test::world_size(), global)) {
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      const auto geometry = grid.geometry(global);
      for (const SiteOrder& order : {SiteOrder{}, SiteOrder{{2, 1, 0, 3}, true}})
        for (const int record_bytes : {4, 100}) {
          const std::string expected = expected_file(global, order, record_bytes);
          for (const auto& sizes : all_sizes(record_bytes)) {
            if (!turns.mine()) continue;
            SCOPED_TRACE(to_string(global) + " on " + to_string(ranks) +
                         (order.one_parity ? " half " : " all ") + std::to_string(record_bytes) + " slab " +
                         std::to_string(sizes.slab) + " run " + std::to_string(sizes.run));
            write_and_check(path, grid, *geometry, {offset, record_bytes, order}, sizes, expected);
            read_and_check(path, grid, *geometry, {offset, record_bytes, order}, sizes, expected);
            MPI_Barrier(MPI_COMM_WORLD);
            ++tried;
          }
        }
    }
  EXPECT_GT(tried, 0);
}

// A lattice so long that neither its records nor its bytes are counted by 32 bits.
TEST(SiteRuns, HugeLattices) {
  const auto geometry = Geometry::create({{2048, 2048, 2048, 4096}, {1, 8, 32, 128}, {0, 7, 31, 127}, 0});
  const SiteRuns runs(*geometry, {}, 576, 1 << 20);
  EXPECT_EQ(runs.group_size(), 1);  // 2048 x 256 sites follow each other
  EXPECT_EQ(runs.rows_of_run(), 256);
  EXPECT_EQ(runs.runs(), 64 * 32);
  const std::int64_t last = std::int64_t{2048} * 2048 * 2048 * 4096 - 2048 * 256;
  EXPECT_EQ(runs.first_record(64 * 32 - 1), last);
  const SiteRuns shared(*geometry, {}, 576, std::int64_t{1} << 31);
  EXPECT_EQ(shared.group_size(), 8);
  EXPECT_EQ(shared.member(), 7);
  EXPECT_EQ(shared.runs(), 32);
  EXPECT_EQ(shared.rows_of_run(), std::int64_t{2048} * 64);
  EXPECT_EQ(shared.own_rows(shared.rows_of_run()), 256 * 64);
  EXPECT_EQ(shared.own_rows(2047), 255);
  EXPECT_EQ(shared.owner(2048 + 256), 1);
}

TEST(SiteFile, ItMustBeLongEnough) {
  const test::SharedDirectory directory;
  const Extents global{4, 4, 4, 8};
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(test::world_size(), global));
  test::write_bytes(directory / "short", expected_file(global, {}, 100).substr(0, 20000));
  test::expect_error_everywhere(
      [&] {
        SiteFile file(grid, *grid.geometry(global), directory / "short", Mode::read, {offset, 100, {}},
                      "shown");
        for (int p = 0; p < file.pieces(); ++p) file.read(p);
      },
      ErrorKind::input_file, {"cannot read shown", "bytes at byte", "rank", "the file ends before"});
  test::expect_error_everywhere(
      [&] {
        const SiteFile file(grid, *grid.geometry(global), directory / "none", Mode::read, {offset, 100, {}},
                            "shown");
      },
      ErrorKind::input_file, {"cannot read shown", "opening", "No such file"});
}

}  // namespace
}  // namespace plaq

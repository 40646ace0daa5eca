// A gauge field of 98 GB in a sparse file, read and written by 512 ranks, of which the ranks of this test
// stand for one group after the other (tests/io/rank_groups.hpp).
#include "io/bytes/record_file.hpp"
#include "io/gauge/gauge_file.hpp"
#include "io/gauge/link_codec.hpp"
#include "tests/io/gauge/gauge_files.hpp"
#include "tests/io/rank_groups.hpp"
#include "tests/support/system_io.hpp"

namespace plaq::huge_file_test {
namespace {

constexpr Extents global{96, 96, 96, 192};
constexpr std::int64_t sites = std::int64_t{96} * 96 * 96 * 192;
constexpr std::uint64_t link_bytes = std::uint64_t{sites} * 576;
const SiteOrder order;  // of these formats

// A file as the writer makes it, but without room on the disk for what is not written.
class SparseFile : public UnnamedFile {
 public:
  SparseFile(std::string path, const GaugeWriteRequest& request)
      : path_(std::move(path)), request_(request), frame_(framed({gauge_format(request.format).checksum})) {
    std::filesystem::resize_file(path_, frame_.head.size() + link_bytes + frame_.tail.size());
  }
  const std::string& name() const override { return path_; }
  std::uint64_t data_offset(std::size_t) const override { return frame_.head.size(); }
  void complete(std::span<const LinkChecksum> checksums) override {
    const GaugeFileFrame parts = framed(checksums.front());
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file << parts.head;
    file.seekp(static_cast<std::streamoff>(parts.head.size() + link_bytes)) << parts.tail;
  }
  void publish() override {}

 private:
  GaugeFileFrame framed(const LinkChecksum& checksum) const {
    return gauge_format(request_.format).frame(request_, checksum);
  }
  std::string path_;
  GaugeWriteRequest request_;
  GaugeFileFrame frame_;
};

// Folder in memory, if there is room: holes of files on a disk fill its cache as they are read.
std::filesystem::path folder() {
  std::error_code failed;
  const auto room = std::filesystem::space("/dev/shm", failed).available;
  return !failed && room > std::uint64_t{4} << 30 ? "/dev/shm" : std::filesystem::temp_directory_path();
}

Extents job() { return test::ranks_of_job(order); }
Extents position_of_group(int group) { return position_of(group, {1, job()[1], job()[2], job()[3]}); }
int groups() { return 512 / test::world_size(); }

// Group `group` of the ranks of this test.
struct Group {
  explicit Group(int group)
      : grid(MPI_COMM_WORLD, test::grid_of_group(order)),
        geometry(test::geometry_in_job(global, job(), position_of_group(group), order)) {}

  // Calls visit(coordinates on this rank, number in the file) for all sites of this rank.
  template <class Visit>
  void for_sites(Visit&& visit) const {
    const Extents local = geometry->local();
    Coordinates c;
    for (c.x[3] = 0; c.x[3] < local[3]; ++c.x[3])
      for (c.x[2] = 0; c.x[2] < local[2]; ++c.x[2])
        for (c.x[1] = 0; c.x[1] < local[1]; ++c.x[1])
          for (c.x[0] = 0; c.x[0] < local[0]; ++c.x[0]) {
            std::int64_t number = 0;
            for (std::size_t mu = 4; mu-- > 0;)
              number = number * global[mu] + geometry->offset()[mu] + c.x[mu];
            visit(c, number);
          }
  }
  Field field() const { return Field(geometry, gauge_spec(Precision::single_precision, Location::host)); }

  ProcessGrid grid;
  GeometryPtr geometry;
};

// Another one for each link: exp(i angle) and its inverse on the diagonal, in single precision.
void make_link(std::int64_t site, int mu, Link& link) {
  const double angle = 1e-3 * static_cast<double>((site * 4 + mu) % 6007);
  const auto cosine = static_cast<float>(std::cos(angle)), sine = static_cast<float>(std::sin(angle));
  std::fill_n(link, 18, 0.0);
  link[0] = link[8] = cosine;
  link[1] = sine;
  link[9] = -sine;
  link[16] = 1;
}

RecordFormat format_of(GaugeFileFormat format, const LinkFormat& links) {
  return {record_bytes(links), links.order, gauge_format(format).checksum, order};
}

GaugeWriteRequest request_of(GaugeFileFormat format) {
  GaugeWriteRequest request;
  request.format = format;
  request.extents = global;
  request.plaquette = 0.5;
  request.link_trace = 0.5;
  return request;
}

LinkChecksum write_group(const std::string& path, GaugeFileFormat format, int number) {
  const Group group(number);
  const Field field = group.field();
  const GaugeLinks links(field);
  group.for_sites([&](const Coordinates& c, std::int64_t site) {
    for (int mu = 0; mu < 4; ++mu) {
      Link link;
      make_link(site, mu, link);
      links.put(mu, c, link);
    }
  });
  const GaugeWriteRequest request = request_of(format);
  LinkEncoder encoder(group.grid, field, request.links);
  return write_records(
      path, group.grid, *group.geometry, format_of(format, request.links),
      [&] { return std::make_unique<SparseFile>(path, request); },
      [&](std::int64_t first, std::int64_t rows, std::span<std::byte> bytes) {
        encoder.encode(first, rows, bytes);
      },
      [] {}, {});
}

LinkChecksum read_group(const std::string& path, const GaugeFileInfo& info, int number) {
  const Group group(number);
  Field field = group.field();
  LinkDecoder decoder(group.grid, field, info.links, false);
  const test::SystemIo io;
  const LinkChecksum sum =
      read_records(path, group.grid, *group.geometry, info.data_offset, format_of(info.format, info.links),
                   [&](std::int64_t first, std::int64_t rows, std::span<std::byte> bytes) {
                     decoder.decode(first, rows, bytes);
                   });
  if (io) {
    EXPECT_EQ(io.counts().bytes_read, link_bytes / 512);
  }
  decoder.finish();
  const GaugeLinks links(field);
  std::int64_t wrong = 0;
  group.for_sites([&](const Coordinates& c, std::int64_t site) {
    for (int mu = 0; mu < 4; ++mu) {
      Link link, expected;
      links.get(mu, c, link);
      make_link(site, mu, expected);
      wrong += !std::equal(link, link + 18, expected);
    }
  });
  EXPECT_EQ(wrong, 0);
  return sum;
}

// Straight from the bytes: link 0 and 3 of a site.
void expect_links_in_file(const std::string& path, const GaugeFileInfo& info, std::int64_t site) {
  std::ifstream stream(path, std::ios::binary);
  for (const int mu : {0, 3}) {
    Link expected;
    make_link(site, mu, expected);
    std::byte reals[16];
    stream.seekg(static_cast<std::streamoff>(info.data_offset) + (4 * site + mu) * 144);
    stream.read(reinterpret_cast<char*>(reals), 16);
    EXPECT_EQ(load<double>(reals, ByteOrder::big), expected[0]);
    EXPECT_EQ(load<double>(reals + 8, ByteOrder::big), expected[1]);
  }
}

class HugeGaugeFile : public testing::TestWithParam<GaugeFileFormat> {};
INSTANTIATE_TEST_SUITE_P(Formats, HugeGaugeFile,
                         testing::Values(GaugeFileFormat::nersc, GaugeFileFormat::ildg),
                         [](const auto& info) { return std::string(short_name(info.param)); });

TEST_P(HugeGaugeFile, GroupsWriteAndReadTheirLinks) {
  const test::SharedDirectory directory(folder());
  const std::string path = directory / "field";
  if (!test::make_sparse(path, 2 * link_bytes)) GTEST_SKIP() << "no sparse files";
  for (const int group : {0, groups() / 2 + 3, groups() - 1}) {
    SCOPED_TRACE("group " + std::to_string(group));
    const LinkChecksum sum = write_group(path, GetParam(), group);
    const GaugeFileInfo info = inspect_gauge_file(path);
    ASSERT_EQ(info.extents, global);
    ASSERT_EQ(info.data_bytes, link_bytes);
    EXPECT_EQ(info.checksum, sum);
    EXPECT_EQ(read_group(path, info, group), sum);
    Group(group).for_sites([&](const Coordinates& c, std::int64_t site) {
      if (c.x[0] == 1 && c.x[1] == 2 && c.x[2] == 3) expect_links_in_file(path, info, site);
    });
  }
}

// 64 of the 512 readers: each reads its own bytes, and its records know their numbers.
TEST(HugeGaugeFiles, ReadersReadTheirOwnBytes) {
  const test::SharedDirectory directory(folder());
  const std::string path = directory / "field";
  if (!test::make_sparse(path, 2 * link_bytes)) GTEST_SKIP() << "no sparse files";
  const LinkChecksum written = write_group(path, GaugeFileFormat::ildg, 0);
  const GaugeFileInfo info = inspect_gauge_file(path);
  const std::uint32_t hole = test::crc(std::vector<std::byte>(576));
  for (int number = 0; number < groups(); number += 8) {
    SCOPED_TRACE("group " + std::to_string(number));
    const Group group(number);
    std::int64_t rows = 0;
    const test::SystemIo io;
    const LinkChecksum sum =
        read_records(path, group.grid, *group.geometry, info.data_offset, format_of(info.format, info.links),
                     [&](std::int64_t, std::int64_t count, std::span<std::byte>) { rows += count; });
    if (io) {
      EXPECT_EQ(io.counts().bytes_read, link_bytes / 512);
    }
    EXPECT_EQ(rows * group.geometry->local()[0], group.geometry->local_volume());
    LinkChecksum expected{ChecksumKind::scidac};
    group.for_sites(
        [&](const Coordinates&, std::int64_t site) { test::add_to_scidac(expected, site, hole); });
    test::combine(expected);
    EXPECT_EQ(sum, number == 0 ? written : expected);
  }
}

}  // namespace
}  // namespace plaq::huge_file_test

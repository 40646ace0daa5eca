// One flipped bit anywhere in a file: noticed, unless it is where the format protects nothing. Prints how
// many were noticed in which part of the file.
#include <gtest/gtest.h>

#include <map>

#include "tests/io/gauge/flips.hpp"
#include "tests/io/gauge/format_cases.hpp"

namespace plaq {
namespace {

constexpr Extents global{2, 4, 2, 2};
constexpr int flips = 1000;

using test::Part;
using test::Seen;

// Bit `bit` of byte `at` of a sound file.
struct Flip {
  const std::string& bytes;
  const GaugeFileInfo& info;
  std::size_t at;
  int bit;

  bool in_links() const { return at >= info.data_offset && at < info.data_offset + info.data_bytes; }
  // By how much it changes the number of `size` bytes in which it is, the first one being at `begin`.
  double change(std::size_t begin, ByteOrder order) const {
    const std::size_t first = begin + (at - begin) / 8 * 8;
    std::byte number[8];
    std::memcpy(number, bytes.data() + first, 8);
    const double before = load<double>(number, order);
    number[at - first] ^= static_cast<std::byte>(1 << bit);
    return std::abs(load<double>(number, order) - before);
  }
};

Part nersc_part(const Flip& flip) {
  if (flip.in_links()) return {"links", Seen::refusal};
  const std::size_t end = flip.bytes.find('\n', flip.at);
  const std::size_t begin = flip.at == 0 ? 0 : flip.bytes.rfind('\n', flip.at - 1) + 1;
  const std::string line = flip.bytes.substr(begin, end - begin), key = line.substr(0, line.find(' '));
  const std::size_t value = begin + line.find("= ") + 2;
  if (key.ends_with("_HEADER") || key == "DATATYPE" || key == "FLOATING_POINT" ||
      key.starts_with("DIMENSION"))
    return {"header: what the links are", Seen::refusal};
  if (key == "CHECKSUM" && flip.at >= value && flip.at < end) {
    // a letter may become a capital
    const bool capital = flip.bytes[flip.at] >= 'a' && flip.bit == 5;
    return {capital ? "header: capitals of the checksum" : "header: checksum",
            capital ? Seen::nothing : Seen::refusal};
  }
  if (key == "PLAQUETTE" || key == "LINK_TRACE") {
    const std::size_t point = flip.bytes.find('.', begin);
    if (flip.at >= point && flip.at <= point + 5)
      return {"header: plaquette and link trace, 5 digits", Seen::refusal};
    if (flip.at >= value) return {"header: their other digits", Seen::nothing};
  }
  return {"header: optional keys, comments", Seen::nothing};
}

Part milc_part(const Flip& flip) {
  if (flip.in_links()) return {"links", Seen::refusal};
  if (flip.at < 20) return {"header: magic number and extents", Seen::refusal};
  if (flip.at < 84) return {"header: time stamp", Seen::nothing};
  return {flip.at < 88 ? "header: order of sites" : "header: checksums", Seen::refusal};
}

Part openqcd_part(const Flip& flip) {
  if (flip.at < 16) return {"header: extents", Seen::refusal};
  if (flip.at < 24)
    return flip.change(16, ByteOrder::little) > 3.1e-6 ? Part{"header: plaquette, beyond 1e-6", Seen::refusal}
                                                       : Part{"header: plaquette, below 1e-6", Seen::nothing};
  // A changed component x spoils U U^dagger by at least half as much.
  return flip.change(24, ByteOrder::little) > 2 * largest_deviation
             ? Part{"links, beyond 2e-5", Seen::refusal}
             : Part{"links, below 2e-5", Seen::nothing};
}

Part lime_part(const Flip& flip) {
  return test::lime_part(flip.bytes, flip.info.data_offset, flip.info.data_bytes, flip.at, flip.bit);
}

// One line for each format.
const std::map<GaugeFileFormat, Part (*)(const Flip&)> parts = {
    {GaugeFileFormat::nersc, nersc_part},     {GaugeFileFormat::ildg, lime_part},
    {GaugeFileFormat::scidac, lime_part},     {GaugeFileFormat::milc, milc_part},
    {GaugeFileFormat::openqcd, openqcd_part},
};

class BitFlip : public testing::TestWithParam<GaugeWriteOptions> {};

INSTANTIATE_TEST_SUITE_P(Formats, BitFlip, testing::ValuesIn(test::all_ways()),
                         [](const auto& info) { return test::name_of_way(info.param); });

TEST_P(BitFlip, IsNoticed) {
  const test::SharedDirectory directory(test::fast_directory());
  const std::string path = directory / "field";
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  auto links = test::random_links(global, 11);
  const double plaquette = reference::average_plaquette(links).all, trace = reference::link_trace(links);
  GaugeWriteOptions way = GetParam();
  way.metadata.ensemble_id = "bits";
  way.metadata.ildg_lfn = "lfn://bits";
  way.metadata.entries = {{"time_stamp", "Sat Nov 21 12:00:00 2026"}};
  write_gauge_file(path, grid, test::field_of(grid, links, Precision::double_precision), way, plaquette,
                   trace);
  const std::string sound = test::read_bytes(path);
  const GaugeFileInfo info = inspect_gauge_file(path);

  // The plaquette of what is read is compared, as programs do.
  const auto look = [&] {
    try {
      Field gauge = test::make_field(grid, global, Precision::double_precision);
      const auto report = read_gauge_file(path, grid, gauge);
      test::for_each_link(gauge, [&](int mu, int parity, int index, int site) {
        auto& link = links.link[static_cast<std::size_t>(site)][static_cast<std::size_t>(mu)];
        for (int r = 0; r < 18; r += 2)
          link(r / 6, r / 2 % 3) = {get_real(gauge, mu, parity, index, r),
                                    get_real(gauge, mu, parity, index, r + 1)};
      });
      verify_gauge_file(report, reference::average_plaquette(links).all, reference::link_trace(links));
      return report.info.warnings.size() > info.warnings.size() ? Seen::warning : Seen::nothing;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input_file) << error.what();
      return Seen::refusal;
    }
  };
  ASSERT_EQ(look(), Seen::nothing);

  test::FlipTable table;
  test::for_flips(sound, flips, info.data_offset, info.data_bytes,
                  [&](const std::string& damaged, std::size_t at, int bit) {
                    test::write_bytes(path, damaged);
                    table.add(parts.at(way.format)({sound, info, at, bit}), look(), at, bit);
                  });
  table.print(test::name_of_way(way));
}

}  // namespace
}  // namespace plaq

// One flipped bit anywhere in a propagator file of plaq. Prints how many were noticed in which part.
#include "tests/io/gauge/flips.hpp"
#include "tests/io/propagator/staggered_files.hpp"

namespace plaq {
namespace {

using test::Part;
using test::Seen;

constexpr Extents global{2, 4, 2, 2};
constexpr int flips = 1000;

Part hdf5_part(const std::string& bytes, std::size_t begin, std::size_t count, std::size_t at, int) {
  if (at >= begin && at < begin + count) return {"numbers", Seen::refusal};
  const std::size_t seal = bytes.rfind("plaqEDGE");
  // Without its first bytes there is no seal, as in files of other programs.
  if (at >= seal && at < seal + 8) return {"seal: its name", Seen::warning};
  return {at > seal ? "seal" : "texts and structure of HDF5", Seen::refusal};
}

void try_flips(const Field& propagator, const ProcessGrid& grid, const std::string& kind) {
  const test::SharedDirectory directory(test::fast_directory());
  const std::string path = directory / "propagator";
  for (const auto format : {PropagatorFormat::scidac, PropagatorFormat::hdf5})
    for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
      const std::string text = "job = \"propagator\"\n" + std::string(2000, '#');
      write_propagator(path, grid, propagator, {format, precision, text});
      const std::string sound = test::read_bytes(path);
      const PropagatorFileInfo info = inspect_propagator(path);
      const auto look = [&] {
        try {
          Field back(propagator.geometry_ptr(), propagator.spec());
          return read_propagator(path, grid, back).info.warnings.empty() ? Seen::nothing : Seen::warning;
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::input_file) << error.what();
          return Seen::refusal;
        }
      };
      ASSERT_EQ(look(), Seen::nothing);
      const auto part = format == PropagatorFormat::scidac ? test::lime_part : hdf5_part;
      test::FlipTable table;
      test::for_flips(sound, flips, info.data_offset, info.data_bytes,
                      [&](const std::string& damaged, std::size_t at, int bit) {
                        test::write_bytes(path, damaged);
                        table.add(part(sound, info.data_offset, info.data_bytes, at, bit), look(), at, bit);
                      });
      // The seal is short: all of it.
      if (format == PropagatorFormat::hdf5)
        for (std::size_t at = sound.rfind("plaqEDGE"); at < sound.size(); ++at)
          for (int bit = 0; bit < 8; ++bit) {
            std::string damaged = sound;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
            test::write_bytes(path, damaged);
            table.add(hdf5_part(sound, info.data_offset, info.data_bytes, at, bit), look(), at, bit);
          }
      table.print(kind + " " + std::string(name_of(format)) + " " + std::string(name_of(precision)));
    }
}

TEST(PropagatorFlip, IsNoticed) {
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  try_flips(test::to_plaq(test::random_propagator(global), grid.geometry(global), Subset::full,
                          Precision::double_precision, Location::host),
            grid, "propagator");
}

TEST(PropagatorFlip, IsNoticedInStaggeredOnes) {
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  try_flips(test::staggered_field(grid.geometry(global), test::random_staggered(global)), grid, "staggered");
}

}  // namespace
}  // namespace plaq

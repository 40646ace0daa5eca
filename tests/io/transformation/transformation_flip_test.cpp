// One flipped bit anywhere in a file of a gauge transformation. Prints how many were noticed in which part.
#include "tests/io/gauge/flips.hpp"
#include "tests/io/transformation/transformation_files.hpp"

namespace plaq {
namespace {

using test::Seen;

TEST(TransformationFlip, IsNoticed) {
  constexpr Extents global{4, 4, 2, 2};
  const test::SharedDirectory directory(test::fast_directory());
  const std::string path = directory / "g.lime";
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  const Field g = test::transformation_of(grid.geometry(global), test::random_matrices(global));
  for (const auto precision : {Precision::single_precision, Precision::double_precision}) {
    write_transformation(path, grid, g,
                         {precision, {{"GAUGE_FIXED", "Landau"}, {"NOTE", std::string(2000, '#')}}});
    const std::string sound = test::read_bytes(path);
    const TransformationFileInfo info = inspect_transformation(path);
    const auto look = [&] {
      try {
        Field back = test::empty_transformation(grid.geometry(global));
        return read_transformation(path, grid, back).info.warnings.empty() ? Seen::nothing : Seen::warning;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input_file) << error.what();
        return Seen::refusal;
      }
    };
    ASSERT_EQ(look(), Seen::nothing);
    test::FlipTable table;
    test::for_flips(sound, 1000, info.data_offset, info.data_bytes,
                    [&](const std::string& damaged, std::size_t at, int bit) {
                      test::write_bytes(path, damaged);
                      table.add(test::lime_part(sound, info.data_offset, info.data_bytes, at, bit), look(),
                                at, bit);
                    });
    table.print("transformation " + std::string(name_of(precision)));
  }
}

}  // namespace
}  // namespace plaq

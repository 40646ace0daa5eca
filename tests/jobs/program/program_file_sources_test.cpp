// Sources from files: solved as they are, those of each gauge field and of all, with the results of sources that are made
// where they have the same numbers; and what is wrong with files.
#include <algorithm>

#include "tests/io/propagator/staggered_files.hpp"
#include "tests/jobs/program/propagator_program.hpp"
#include "tests/reference/nersc.hpp"
#include "tests/reference/sources.hpp"
#include "tests/reference/wilson.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;
using test::Numbers;

const std::string from_file = "--set source.type=file --set output.overwrite=true ";
const std::string all_fields = "--set 'gauge.numbering=\"field.{trajectory}.nersc\"' ";

class ProgramFileSources : public test::PropagatorProgram {
 protected:
  const reference::Lattice lattice{{4, 4, 4, 8}};

  void write_columns(const std::string& name, const reference::PropagatorColumns& columns,
                     const Extents& extents = {4, 4, 4, 8}) const {
    box_.write(name, test::lime_propagator(columns, extents, 64).bytes());
  }
  reference::PropagatorColumns gaussians(const reference::Coordinates& at) const {
    reference::PropagatorColumns columns;
    for (int i = 0; i < 12; ++i)
      columns.push_back(reference::gaussian_source(lattice, at, 1.5, 1, i / 3, i % 3));
    return columns;
  }
  reference::PropagatorColumns propagator_of(const std::string& name) const {
    for (const auto& record : reference::lime_records(contents(box_ / name)))
      if (record.type == "scidac-binary-data") return reference::qdp_propagator(record.data, lattice, 64);
    ADD_FAILURE() << name << " has no data";
    return {};
  }
};

// The same but for the checksums of the files.
void expect_same(Numbers of_files, const Numbers& made) {
  EXPECT_EQ(of_files.erase("/sources/checksum"), 1u);
  EXPECT_EQ(of_files.size(), made.size());
  for (const auto& [path, numbers] : made) EXPECT_EQ(of_files.at(path), numbers) << path;
}

TEST_F(ProgramFileSources, AreSolvedAsThoseThatAreMade) {
  const std::string gaussian = "--set source.type=gaussian --set source.width=1.5 --set source.position=";
  const Numbers first = run("first", gaussian + "[1,2,3,5]"),
                both = run("both", gaussian + "[1,2,3,5] --set source.count=2 --set source.shift=[2,2,2,6]");
  write_columns("src.2.lime", gaussians({1, 2, 3, 5}));
  write_columns("src.000004.lime", gaussians({3, 0, 1, 3}));
  // One file for all fields, at a position; then two for each, on two and on one rank.
  const std::string one =
      from_file + "--set 'source.files=[\"src.2.lime\"]' --set source.position=[1,2,3,5] ";
  expect_same(run("one", one), first);
  const std::string two = from_file +
                          "--set 'source.files=[\"src.2.lime\", \"src.?????4.*\"]' --set "
                          "source.position=[1,2,3,5] --set source.shift=[2,2,2,6] ";
  expect_same(run("two", two, 2), both);
  const std::string bytes = contents(box_ / "two.h5");
  run("two", two + "--set solver.columns=4");
  const Numbers again = test::read_numbers((box_ / "two.h5").string());
  expect_same(again, both);
  run("two", two);
  EXPECT_TRUE(contents(box_ / "two.h5") == bytes) << "other bytes on 2 ranks";
  // Each field has its own, and its own time slice.
  const Numbers own =
      run("own", from_file + all_fields + "--set source.slice=file --set 'source.files=[\"src." +
                     "{trajectory}.lime\"]'");
  for (const auto& [path, numbers] : own) {
    if (path.starts_with("/correlators")) {
      EXPECT_EQ(numbers.at(0).at(0), both.at(path).at(0).at(0)) << path;
      EXPECT_EQ(numbers.at(1).at(0), both.at(path).at(1).at(1)) << path;
    }
  }
  EXPECT_EQ(own.at("/sources/position").values, (std::vector<double>{0, 0, 0, 5, 0, 0, 0, 3}));
  EXPECT_NE(own.at("/sources/checksum").at(0), own.at("/sources/checksum").at(1));
  // What was changed since is computed again; what was not is kept.
  const std::string stopped = two + "--set output.overwrite=false --set output.file=kept.h5 ";
  ASSERT_EQ(propagator(stopped).code, 0);
  EXPECT_NE(propagator(stopped).err.find("complete"), std::string::npos);
}

// A propagator of plaq is a source: M times what comes out is what went in.
TEST_F(ProgramFileSources, ArePropagatorsOfAnotherJob) {
  const std::string written = "--set gauge.files=field.000002.nersc --set solver.tolerance=1e-11 ";
  run("one", written + "--set output.propagators=hdf5 --set source.position=[1,0,2,3]");
  std::filesystem::create_directory(box_ / "out");
  const Numbers found =
      run("two", from_file + written +
                     "--set 'source.files=[\"{field}.s0.prop.h5\"]' --set source.position=[0,0,0,3] "
                     "--set output.propagators=scidac --set output.propagator_directory=out ");
  const auto s = propagator_of("out/field.000002.nersc.s0.prop.lime");
  const auto source =
      test::read_numbers((box_ / "field.000002.nersc.s0.prop.h5").string()).at("/propagator").values;
  const auto gauge = reference::read_nersc((box_ / "field.000002.nersc").string()).gauge;
  const reference::WilsonParameters p{1 / (2 * 0.11) - 4, 1, 1, {1, 1, 1, -1}};
  for (std::size_t column : {0u, 7u}) {
    const auto image = reference::wilson(p, gauge, s[column]);
    reference::SpinorField b = reference::zero_spinor(lattice);
    for (std::size_t x = 0; x < b.size(); ++x)
      for (std::size_t i = 0; i < 12; ++i) {
        const std::size_t at = 2 * ((x * 12 + column) * 12 + i);
        b[x][i / 3][i % 3] = {source[at], source[at + 1]};
      }
    EXPECT_LT(reference::relative_difference(image, b), 1e-10) << column;
  }
  double sum = 0;  // of |S|^2 on the slice 4
  for (const auto& column : s)
    for (int x = 0; x < lattice.volume(); ++x)
      for (const auto& spin : column[static_cast<std::size_t>(x)])
        for (const auto& z : spin) sum += lattice.coordinates(x)[3] == 4 ? std::norm(z) : 0;
  EXPECT_NEAR(found.at(test::pion).values[2] / sum, 1, 1e-12);
}

TEST_F(ProgramFileSources, OfStaggeredQuarksInEitherOrderOfPhases) {
  const std::string staggered = "--set action.kappa= --set action.type=staggered --set action.mass=0.3 ";
  const Numbers made = run("made", staggered +
                                       "--set source.type=box --set source.size=[4,3,2] --set "
                                       "source.stride=2 --set source.position=[1,2,3,5]");
  test::StaggeredColumns columns(3, reference::ColorField(static_cast<std::size_t>(lattice.volume())));
  for (int color = 0; color < 3; ++color) {
    const auto box = reference::box_source(lattice, {1, 2, 3, 5}, {4, 3, 2}, 2, 0, color);
    for (std::size_t x = 0; x < box.size(); ++x) columns[static_cast<std::size_t>(color)][x] = box[x][0];
  }
  // MILC's phases, which files have that do not say it: a sign at odd x + y + z, since t is odd.
  box_.write("src.lime",
             test::lime_staggered(test::with_zeta(columns, {4, 4, 4, 8}), {4, 4, 4, 8}, 64).bytes());
  expect_same(run("file", from_file + staggered +
                              "--set 'source.files=[\"src.lime\"]' --set source.position=[1,2,3,5]"),
              made);
  expect_failure(propagator(from_file + "--set 'source.files=[\"src.lime\"]'"), 4,
                 {"src.lime", "twelve spinors", "three color vectors"});
}

TEST_F(ProgramFileSources, WrongFilesAndKeys) {
  const auto files = [](const std::string& names) {
    return from_file + "--set 'source.files=[" + names + "]' ";
  };
  const std::string one = "--set gauge.files=field.000002.nersc ";
  write_columns("src.lime", gaussians({1, 2, 3, 5}));
  write_columns("src.2.lime", gaussians({1, 2, 3, 5}));
  auto columns = gaussians({1, 2, 3, 5});
  columns[4] = reference::zero_spinor(lattice);
  write_columns("zero.lime", columns);
  columns = gaussians({1, 2, 3, 5});
  reference::add(columns[4], 1, gaussians({1, 2, 3, 6})[4]);
  write_columns("two.lime", columns);
  reference::PropagatorColumns small;
  for (int i = 0; i < 12; ++i)
    small.push_back(reference::gaussian_source({{4, 4, 4, 4}}, {0, 0, 0, 0}, 1.5, 1, i / 3, i % 3));
  write_columns("small.lime", small, {4, 4, 4, 4});
  std::string damaged = contents(box_ / "src.lime");
  damaged[damaged.size() - 2000] ^= 1;
  box_.write("damaged.lime", damaged);
  const struct {
    std::string more;
    int code;
    std::vector<std::string> parts;
  } all[] = {
      {from_file, 3, {"files", "type = \"file\""}},
      {"--set 'source.files=[\"src.lime\"]'", 3, {"files", "is not of type = \"point\""}},
      {"--set source.width=2.0", 3, {"width", "is not of type = \"point\""}},
      {"--set source.type=gaussian", 3, {"width", "type = \"gaussian\""}},
      {"--set source.type=box --set source.size=[4,5,4]", 3, {"size", "5", "4x4x4x8"}},
      {"--set source.stride=2", 3, {"stride", "is not of type"}},
      {files("\"src.lime\"") + "--set source.count=2", 3, {"count", "as many as"}},
      {files("\"src.{field}.{t}.lime\""), 3, {"src.{field}.{t}.lime", "braces of another name"}},
      {files("\"src.{replica}.lime\""), 3, {"src.{replica}.lime", "no {trajectory}"}},
      {files("\"none.lime\""), 4, {"none.lime"}},
      {files("\"src.*lime\""), 4, {"src.*lime", "stands for 2 files", "must be one"}},
      {files("\"src.{trajectory}.lime\"") + all_fields, 4, {"stands for 0 files with field.000004.nersc"}},
      {files("\"small.lime\""), 4, {"small.lime", "4x4x4x4", "4x4x4x8"}},
      {files("\"field.000002.nersc\""), 4, {"field.000002.nersc"}},
      {one + files("\"zero.lime\"") + "--set source.slice=file", 4, {"zero.lime", "column 4", "is 0"}},
      {one + files("\"damaged.lime\"") + "--set source.slice=file", 4, {"damaged.lime", "damaged"}},
      {one + files("\"src.lime\""), 3, {"src.lime", "time slice 5", "count from 0", "slice = \"file\""}},
      {one + files("\"two.lime\"") + "--set source.slice=file", 3, {"two.lime", "several time slices"}},
  };
  for (const auto& wrong : all) {
    SCOPED_TRACE(wrong.more);
    expect_failure(propagator(wrong.more), wrong.code, wrong.parts);
  }
  EXPECT_FALSE(exists("pion.h5"));
}

}  // namespace
}  // namespace plaq

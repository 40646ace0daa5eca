// States of unfinished work in files: all bits on any process grid, and no damaged one is taken.
#include "io/state/state_file.hpp"

#include <csignal>
#include <cstring>

#include <sys/resource.h>

#include "comms/grid/grid_choice.hpp"
#include "io/state/state_archive.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "tests/support/files.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/numbered_field.hpp"

namespace plaq::state_file_test {
namespace {

using test::numbered_field;
constexpr auto wide = Precision::double_precision;
const Extents extents{2, 4, 6, 4};

// Links with a halo, momenta, and vectors on even sites.
std::vector<Field> fields_of(const GeometryPtr& geometry, Location location) {
  const Field links = numbered_field(geometry, gauge_spec(wide, Location::host), 0.1);
  Field with_halo(geometry->extended(1), gauge_spec(wide, location));
  copy(with_halo, links);
  return {with_halo, numbered_field(geometry, algebra_spec(wide, location), 0.2),
          numbered_field(geometry, spinor_spec(Subset::even, 3, Precision::single_precision, location), 0.3)};
}

bool are_equal(const Field& a, const Field& b) {
  FieldSpec spec = a.spec();
  spec.location = Location::host;
  const GeometryPtr& plain = b.geometry_ptr();
  Field one(plain, spec), other(plain, spec);
  copy(one, a);
  copy(other, b);
  return test::bytes_of_field(one) == test::bytes_of_field(other);
}

void write(const std::string& path, const ProcessGrid& grid, const GeometryPtr& geometry,
           Location location = Location::host) {
  write_state(path, grid, geometry, "a title\nof two lines",
              {std::string("\0num", 4), fields_of(geometry, location)});
}

TEST(StateFile, HasAllBitsOnAnyGrid) {
  const test::SharedDirectory directory;
  const std::string path = directory / "state";
  std::string first;
  test::for_all_geometries(
      extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        if (!first.empty()) {  // written on another grid
          EXPECT_EQ(read_state_title(path, grid), "a title\nof two lines");
          const State back = read_state(path, grid, geometry);
          EXPECT_EQ(back.numbers, std::string("\0num", 4));
          const auto expected = fields_of(geometry, location);
          ASSERT_EQ(back.fields.size(), expected.size());
          for (std::size_t k = 0; k < expected.size(); ++k)
            EXPECT_TRUE(are_equal(expected[k], back.fields[k])) << k;
        }
        write(path, grid, geometry, location);
        const std::string bytes = test::read_together(path);
        if (first.empty()) first = bytes;
        EXPECT_TRUE(bytes == first) << "the bytes depend on the grid";
        EXPECT_EQ(test::together([&] { return directory.names(); }), std::vector<std::string>{"state"});
      });
}

class StateFileFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid";
    grid_.emplace(MPI_COMM_WORLD, allowed_grids(test::world_size(), extents).front());
    geometry_ = grid_->geometry(extents);
    write(path_, *grid_, geometry_);
  }
  void expect_refused(const std::string& bytes, const test::Parts& parts) {
    test::write_bytes(path_, bytes);
    test::expect_error([&] { read_state(path_, *grid_, geometry_); }, ErrorKind::input_file, parts);
  }

  test::SharedDirectory directory_;
  const std::string path_ = directory_ / "state";
  std::optional<ProcessGrid> grid_;
  GeometryPtr geometry_;
};

TEST_F(StateFileFaults, DamageIsRefused) {
  const std::string good = test::read_together(path_);
  for (std::size_t at = 0; at < good.size(); at += at < 300 ? 1 : 4999)
    expect_refused(test::with_flipped_bit(good, at, static_cast<int>(at % 8)), {path_});
  expect_refused(test::with_flipped_bit(good, good.size() - 1, 3),
                 {"its fields are damaged: expected checksum"});
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{19}, std::size_t{30}, good.size() / 2, good.size() - 1})
    expect_refused(good.substr(0, size), {path_});
  expect_refused(good + "x", {"the file is truncated or damaged: expected"});
  expect_refused("not a state at all, but some text", {"it is not the state of unfinished work"});
}

TEST_F(StateFileFaults, AnotherLatticeIsRefused) {
  const Extents others{4, 4, 6, 4};
  test::expect_error([&] { read_state(path_, *grid_, grid_->geometry(others)); }, ErrorKind::input_file,
                     {path_, "2x4x6x4", "4x4x6x4"});
  test::expect_error([&] { read_state(directory_ / "none", *grid_, geometry_); }, ErrorKind::input_file,
                     {"none", "No such file"});
}

// A limit on the size of files stands for a full disk.
TEST_F(StateFileFaults, AFullDiskKeepsTheOlderFile) {
  const std::string older = test::read_together(path_);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit unlimited{};
  ::getrlimit(RLIMIT_FSIZE, &unlimited);
  rlimit limited = unlimited;
  limited.rlim_cur = 2000;
  ::setrlimit(RLIMIT_FSIZE, &limited);
  test::expect_error([&] { write(path_, *grid_, geometry_); }, ErrorKind::output_file,
                     {"cannot write " + path_, std::strerror(EFBIG)});
  ::setrlimit(RLIMIT_FSIZE, &unlimited);
  std::signal(SIGXFSZ, ignored);
  EXPECT_TRUE(test::read_together(path_) == older);
  EXPECT_EQ(test::together([&] { return directory_.names(); }), std::vector<std::string>{"state"});
}

TEST(StateArchive, GivesBackWhatItKept) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  double x = -0.0;
  std::int64_t n = -7;
  bool yes = true;
  std::vector<double> many{1, std::nan("")};
  Field field(ProcessGrid(MPI_COMM_SELF, {1, 1, 1, 1}).geometry({2, 2, 2, 2}),
              spinor_spec(Subset::even, 1, wide, Location::host));
  const auto visit = [&](StateArchive& archive) {
    archive(x);
    archive(n);
    archive(yes);
    archive(many);
    archive.field(field);
  };
  StateArchive keeping;
  EXPECT_TRUE(keeping.is_new(&x));
  EXPECT_FALSE(keeping.is_new(&x));
  visit(keeping);
  State state = keeping.take();
  const void* memory = field.data(0, 0);
  x = 3, n = 4, yes = false, many = {}, field = {};
  StateArchive restoring(state);
  visit(restoring);
  restoring.expect_end();
  EXPECT_TRUE(std::signbit(x) && x == 0);
  EXPECT_EQ(n, -7);
  EXPECT_TRUE(yes);
  EXPECT_EQ(many.size(), 2u);
  EXPECT_TRUE(std::isnan(many.at(1)));
  EXPECT_EQ(field.data(0, 0), memory);
  for (const auto spoil : {+[](State& s) { s.numbers.resize(20); }, +[](State& s) { s.fields.clear(); },
                           +[](State& s) { s.numbers += "12345678"; }}) {
    State other = state;
    spoil(other);
    test::expect_error(
        [&] {
          StateArchive archive(other);
          visit(archive);
          archive.expect_end();
        },
        ErrorKind::input_file, {"does not fit"});
  }
}

}  // namespace
}  // namespace plaq::state_file_test

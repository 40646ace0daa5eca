// Files of propagators in the C++ interface.
#include <gtest/gtest.h>

#include "tests/plaq/session.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"

namespace plaq {
namespace {

const Extents file_extents{4, 4, 4, 8};

double distance(const SpinorField& a, const SpinorField& b) {
  double largest = 0;
  for (const double d : norm2(a - b)) largest = std::max(largest, std::sqrt(d));
  return largest;
}

Propagator numbers(const Lattice& lattice, int spins) {
  Propagator q(lattice, spins);
  if (spins == 4)
    q.set(test::numbers_on<SpinColorMatrix>(lattice));
  else
    q.set(test::numbers_on<ColorMatrix>(lattice));
  q.note().source = 2;
  q.note().source_type = "point";
  q.note().position = Extents{1, 2, 3, 4};
  q.note().mass = 0.25;
  q.note().boundary = -1;
  q.note().space_boundary = {1, 1, 1};
  return q;
}

TEST(StoredPropagators, ComeBackWithTheirNote) {
  const test::SharedDirectory folder;
  test::for_all_lattices(file_extents, [&](const Lattice& lattice) {
    for (const int spins : {4, 1}) {
      const Propagator q = numbers(lattice, spins);
      for (const char* format : {"hdf5", "scidac", "milc", "fnal"}) {
        SCOPED_TRACE(format);
        const bool binary = std::string(format) == "milc" || std::string(format) == "fnal";
        const std::string path = folder / (std::string("q.") + format);
        const std::string checksum =
            write_propagator(q, path,
                             {.format = format,
                              .precision = binary ? Precision::single_precision : Precision::double_precision,
                              .overwrite = true});
        EXPECT_NE(checksum, "");
        const Propagator back = read_propagator(path, lattice);
        EXPECT_EQ(back.spins(), spins);
        if (binary) {
          EXPECT_LT(distance(back, q), 1e-3);
          EXPECT_EQ(back.note(), PropagatorNote());
          const Propagator told =
              read_propagator(path, lattice, {.source = Extents{1, 2, 3, 4}, .time_boundary = -1});
          EXPECT_EQ(told.note().position, q.note().position);
          EXPECT_EQ(told.note().boundary, -1);
        } else {
          EXPECT_EQ(distance(back, q), 0);
          EXPECT_EQ(back.note(), q.note());
        }
      }
    }
  });
}

// The bytes are those of any process grid, and of any location.
TEST(StoredPropagators, BytesAreThoseOfAnyGrid) {
  const test::SharedDirectory folder;
  std::string first;
  test::for_all_lattices(file_extents, [&](const Lattice& lattice) {
    const std::string path = folder / "q.h5";
    write_propagator(numbers(lattice, 4), path, {.metadata = "mine", .overwrite = true});
    const std::string bytes = test::read_bytes(path);
    EXPECT_NE(bytes.find("mine\n\n[stored_propagator]\n"), std::string::npos);
    if (first.empty()) first = bytes;
    EXPECT_EQ(bytes, first);
  });
}

TEST(StoredPropagators, SingleFieldsAreColumns) {
  const test::SharedDirectory folder;
  test::for_all_lattices(file_extents, [&](const Lattice& lattice) {
    const SpinorField column = numbers(lattice, 4).some_columns(5, 1);
    const std::string path = folder / "column.lime";
    write_propagator(column, path, {.format = "scidac", .overwrite = true});
    const SpinorField back = read_quarks(path, lattice);
    EXPECT_EQ(back.columns(), 1);
    EXPECT_EQ(distance(back, column), 0);
    test::expect_error([&] { read_propagator(path, lattice); }, ErrorKind::input_file,
                       {"column.lime", "12 columns", "read_quarks()"});
    test::expect_error([&] { write_propagator(column, folder / "column.h5"); }, ErrorKind::usage,
                       {"12 columns", "SciDAC"});
  });
}

TEST(StoredPropagators, WrongCallsAreErrors) {
  const test::SharedDirectory folder;
  test::for_all_lattices(file_extents, [&](const Lattice& lattice) {
    const Propagator q = numbers(lattice, 1);
    const std::string path = folder / "q.h5";
    write_propagator(q, path, {.overwrite = true});
    const auto refuse_read = [&](ErrorKind kind, const test::Parts& parts,
                                 const ReadPropagatorSettings& settings) {
      test::expect_error([&] { read_propagator(path, lattice, settings); }, kind, parts);
    };
    refuse_read(ErrorKind::input_file, {"source = (1, 2, 3, 4)", "source = (0, 0, 0, 0)"},
                {.source = Extents{0, 0, 0, 0}});
    refuse_read(ErrorKind::input_file, {"time_boundary = -1", "time_boundary = 1"}, {.time_boundary = 1});
    refuse_read(ErrorKind::usage, {"outside the lattice"}, {.source = Extents{0, 0, 0, 8}});
    refuse_read(ErrorKind::usage, {"time_boundary must be 1, -1 or 0"}, {.time_boundary = 2});
    EXPECT_THROW(read_propagator(folder / "none", lattice), Error);
    test::expect_error([&] { write_propagator(q, path); }, ErrorKind::output_file, {"q.h5"});
    const auto refuse_write = [&](const test::Parts& parts, const WritePropagatorSettings& settings) {
      test::expect_error([&] { write_propagator(q, folder / "other", settings); }, ErrorKind::usage, parts);
    };
    refuse_write({"\"paper\"", "hdf5, scidac, milc, fnal"}, {.format = "paper"});
    refuse_write({"single precision"}, {.format = "milc"});
    refuse_write({"[stored_propagator]"}, {.metadata = "[stored_propagator]\nboundary = 1"});
  });
}

}  // namespace
}  // namespace plaq

// Requirements of files of every kind: the same bytes on every grid, no damage unseen, and no trace of a
// write that fails, beside an older file as it was.
#include "tests/io/stored_fields.hpp"

#include <sys/resource.h>

namespace plaq {
namespace {

using test::expect_error_everywhere;
using test::Parts;

class StoredFields : public testing::TestWithParam<test::StoredField> {
 protected:
  const test::StoredField& stored() const { return GetParam(); }
  LinkChecksum write(const std::string& path, const WrittenFileCheck& check = {}) const {
    return stored().write(path, grid_, stored().field(geometry_), check);
  }
  std::string sound_bytes() const {
    write(path_);
    return test::read_together(path_);
  }
  void expect_refused(const std::string& bytes, const Parts& parts) const {
    test::write_bytes(path_, bytes);
    Field back = stored().empty(geometry_);
    expect_error_everywhere([&] { stored().read(path_, grid_, back); }, ErrorKind::input_file, parts);
  }
  // Nothing but the error: the same names, and what was there before.
  void expect_failure(const std::string& path, const Parts& parts, const WrittenFileCheck& check = {}) const {
    const auto names = test::together([&] { return directory_.names(); });
    const std::string before = test::read_together(path);
    expect_error_everywhere([&] { write(path, check); }, ErrorKind::output_file, parts);
    EXPECT_EQ(test::together([&] { return directory_.names(); }), names);
    EXPECT_TRUE(test::read_together(path) == before);
  }

  test::SharedDirectory directory_;
  std::string path_ = directory_ / "field";
  ProcessGrid grid_{MPI_COMM_WORLD, choose_grid(test::world_size(), GetParam().extents)};
  GeometryPtr geometry_ = grid_.geometry(GetParam().extents);
};

// On several ranks one of each format.
class StoredFieldFailures : public StoredFields {
  void SetUp() override {
    static std::map<std::string, std::string> first;
    const auto& chosen = first.try_emplace(stored().contents, stored().name).first->second;
    if (test::world_size() > 1 && stored().name != chosen) GTEST_SKIP() << "one rank tries all ways";
  }
};

std::string name_of(const testing::TestParamInfo<test::StoredField>& info) { return info.param.name; }
const auto all = testing::ValuesIn(test::stored_fields(test::small));
INSTANTIATE_TEST_SUITE_P(Kinds, StoredFields, all, name_of);
INSTANTIATE_TEST_SUITE_P(Kinds, StoredFieldFailures, all, name_of);

TEST_P(StoredFields, AreTheSameOnEveryGrid) {
  std::string first;
  for (const auto& ranks : allowed_grids(test::world_size(), stored().extents)) {
    SCOPED_TRACE(to_string(ranks));
    const ProcessGrid grid(MPI_COMM_WORLD, ranks);
    const auto geometry = grid.geometry(stored().extents);
    const LinkChecksum written = stored().write(path_, grid, stored().field(geometry), {});
    const std::string bytes = test::read_together(path_);
    if (first.empty()) first = bytes;
    EXPECT_TRUE(bytes == first) << "the bytes depend on the grid";
    const auto info = stored().inspect(path_);
    if (info.checksum || !stored().may_lack_checksum()) {
      EXPECT_EQ(info.checksum, written);
      EXPECT_EQ(info.warnings, 0u);
    }
    stored().expect_told(path_);
    for (const auto precision : stored().precisions) {
      Field back = stored().empty(geometry, precision);
      EXPECT_EQ(stored().read(path_, grid, back), written);
      EXPECT_TRUE(stored().holds(back));
    }
    EXPECT_EQ(test::together([&] { return directory_.names(); }), std::vector<std::string>{"field"});
  }
}

TEST_P(StoredFieldFailures, DamageIsRefused) {
  const std::string good = sound_bytes();
  const auto info = stored().inspect(path_);
  const std::size_t begin = info.data_offset, end = begin + info.data_bytes;
  if (info.checksum)
    for (const std::size_t at : {begin, begin + info.data_bytes / 3, end - 1})
      for (const int bit : {0, 2})
        expect_refused(test::with_flipped_bit(good, at, bit),
                       {path_, "the " + stored().called,
                        info.by_columns ? std::string("damaged in column ")
                                        : "damaged: expected checksum " + info.checksum->text(),
                        "found"});
  const bool hdf5 = stored().contents.ends_with("hdf5");
  for (const std::size_t size : {begin + 1, begin + info.data_bytes / 2})
    expect_refused(good.substr(0, size), {path_, hdf5 ? "expected" : "truncated"});
  for (const std::size_t size : {std::size_t{10}, begin - 1, begin, end - 1})
    expect_refused(good.substr(0, size), {path_});
  expect_refused("", {path_, stored().called == "propagator" ? "expected" : "empty"});
  if (!hdf5) expect_refused(good + "more", {path_});
}

TEST_P(StoredFieldFailures, AnotherLatticeIsRefused) {
  write(path_);
  Field another = stored().empty(grid_.geometry({2, 8, 6, 4}));
  expect_error_everywhere([&] { stored().read(path_, grid_, another); }, ErrorKind::input_file,
                          {path_, "2x4x6x4", "2x8x6x4"});
  expect_error_everywhere([&] { stored().read(directory_ / "none", grid_, another); }, ErrorKind::input_file,
                          {"none", "No such file"});
}

TEST_P(StoredFieldFailures, ImpossiblePlacesAreRefused) {
  expect_failure(directory_ / "none/field", {"cannot write", "none/field", "No such file or directory"});
  test::write_bytes(directory_ / "plain", "file");
  expect_failure(directory_ / "plain/field", {"plain/field"});
  expect_failure(directory_ / "", {"not the name of a file"});
  expect_failure("/dev/null", {"/dev/null", "not a regular file"});
}

// A limit on the size of files stands for a full disk. On rank 0 it shows when the space is reserved, on the
// others when they write.
TEST_P(StoredFieldFailures, AFullDiskKeepsTheOlderFile) {
  if (stored().contents.ends_with("hdf5")) GTEST_SKIP() << "libhdf5 then ends this process with a crash";
  test::write_bytes(path_, "the older file");
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit unlimited{};
  ::getrlimit(RLIMIT_FSIZE, &unlimited);
  rlimit limited = unlimited;
  limited.rlim_cur = 2000;
  for (int only = -1; only < test::world_size(); ++only) {
    SCOPED_TRACE("limited rank " + std::to_string(only));
    if (only < 0 || only == test::world_rank()) ::setrlimit(RLIMIT_FSIZE, &limited);
    expect_failure(path_, {"cannot write " + path_, std::strerror(EFBIG)});
    ::setrlimit(RLIMIT_FSIZE, &unlimited);
  }
  std::signal(SIGXFSZ, ignored);
  write(path_);
  Field back = stored().empty(geometry_);
  stored().read(path_, grid_, back);
  EXPECT_TRUE(stored().holds(back));
}

// A look at the whole file before it replaces the older one, which a complaint keeps.
TEST_P(StoredFieldFailures, FoundWrongBeforeTheyArePublished) {
  test::write_bytes(path_, "the older file");
  std::string seen;
  const auto look = [&](const std::string& name, const LinkChecksum& checksum) {
    EXPECT_EQ(test::read_together(path_), "the older file");
    Field back = stored().empty(geometry_);
    EXPECT_EQ(stored().read(name, grid_, back), checksum);
    EXPECT_TRUE(stored().holds(back));
    seen = test::read_together(name);
  };
  expect_failure(path_, {"the disk forgets"}, [&](const std::string& name, const LinkChecksum& checksum) {
    look(name, checksum);
    throw Error(ErrorKind::output_file, "the disk forgets");
  });
  write(path_, look);
  EXPECT_TRUE(test::read_together(path_) == seen);
}

}  // namespace
}  // namespace plaq

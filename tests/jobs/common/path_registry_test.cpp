// Files that a command reads and writes, compared by what they are.
#include "jobs/common/path_registry.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

namespace fs = std::filesystem;

class Paths : public testing::Test {
 protected:
  Paths() {
    std::string name = (fs::temp_directory_path() / "plaq-paths-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "cannot make " << name;
    box_ = name;
    write("field", "links");
    fs::create_directory(box_ / "sub");
    fs::create_symlink("field", box_ / "link");
    fs::create_hard_link(box_ / "field", box_ / "sub/hard");
    fs::create_directory_symlink("sub", box_ / "also");
  }
  ~Paths() override {
    std::error_code ignored;
    fs::remove_all(box_, ignored);
  }
  std::string at(const std::string& name) const { return (box_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(box_ / name) << text; }
  // The message; empty where nothing is wrong.
  std::string refused(const PathRegistry& paths) const {
    try {
      paths.check(ErrorKind::usage, "here");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return "";
  }
  fs::path box_;
};

TEST_F(Paths, AnOutputIsNoInput) {
  for (const char* name : {"field", "link", "sub/hard", "sub/../field", "also/hard"}) {
    SCOPED_TRACE(name);
    PathRegistry paths;
    paths.reads(at("field"), "the first");
    paths.writes(at(name), "the second");
    expect_holds(refused(paths), "here: " + at("field") + " is the first, and ");
    expect_holds(refused(paths), "the second");
    PathRegistry turned;
    turned.writes(at(name), "the second");
    turned.add(paths);
    EXPECT_FALSE(refused(turned).empty());
  }
}

TEST_F(Paths, TwoOutputsThatAreNotThereYet) {
  PathRegistry paths;
  paths.writes(at("sub/new"), "one");
  paths.writes(at("new"), "another of that name");
  paths.reads(at("field"), "an input");
  paths.reads(at("link"), "the same input");
  paths.reads("", "no file");
  paths.writes("", "no file either");
  EXPECT_EQ(refused(paths), "");
  paths.writes(at("also/../also/new"), "two");
  expect_holds(refused(paths), at("sub/new") + " is one, and as " + at("also/../also/new") + " two");
}

TEST_F(Paths, TemporariesBelongToTheirOutput) {
  for (const char* hidden :
       {"sub/.out.h5.lock", "also/.out.h5.123.part", "also/.out.h5.0f3a.part", "sub/.out.h5.9.part-1-2.x"}) {
    PathRegistry paths;
    paths.reads(at(hidden), "an input");
    EXPECT_EQ(refused(paths), "");
    paths.writes(at("out.h5"), "an output elsewhere");
    EXPECT_EQ(refused(paths), "");
    paths.writes(at("sub/out.h5"), "the output");
    expect_holds(refused(paths), "temporary file of");
  }
  PathRegistry paths;
  paths.reads(at("sub/.out.h5.part"), "an input");
  paths.reads(at("sub/.out.h5.x.part"), "an input");
  paths.writes(at("sub/out.h5"), "the output");
  EXPECT_EQ(refused(paths), "");
}

TEST_F(Paths, OnlyJsonIsReplacedByJson) {
  write("json", " \n{\"a\": 1}\n");
  write("empty", "");
  for (const char* name : {"json", "empty", "missing"}) EXPECT_NO_THROW(expect_json_or_nothing(at(name)));
  expect_holds(message_of(ErrorKind::output_file, [&] { expect_json_or_nothing(at("field")); }),
               at("field") + ": it exists and is no JSON file");
}

}  // namespace
}  // namespace plaq::jobs::test

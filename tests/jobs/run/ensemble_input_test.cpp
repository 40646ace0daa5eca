#include <gtest/gtest.h>

#include <filesystem>

#include "jobs/run/ensemble.hpp"
#include "tests/io/gauge/gauge_files.hpp"
#include "tests/reference/lime.hpp"

namespace plaq::jobs {
namespace {

JobFile job(const std::string& files, const std::string& more = "") {
  return JobFile::parse(
      "job = \"measure\"\n[gauge]\nfiles = [" + files + "]\n[output]\nfile = \"x.h5\"\n" + more, "job.toml",
      {});
}

// Three links of nothing but ones, without a record that says their lattice.
std::string unit_links(const Extents& extents) {
  reference::GaugeField links({extents});
  return reference::lime_bytes({{"ildg-binary-data", reference::link_bytes(links, 64), true, true}});
}

class Ensemble : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a.ildg", "b.ildg"})
      test::write_bytes(directory_ / name, unit_links({2, 2, 2, 4}));
    std::filesystem::create_symlink(directory_ / "a.ildg", directory_ / "soft");
    std::filesystem::create_hard_link(directory_ / "a.ildg", directory_ / "hard");
  }
  std::string quoted(const std::string& name) const { return "\"" + directory_ / name + "\""; }
  void expect_refused(const std::string& files, const std::vector<std::string>& parts) const {
    test::expect_error(test::error_of([&] { inspect_ensemble(job(files, lattice)); }), ErrorKind::job_file,
                       parts);
  }

  const std::string lattice = "[lattice]\nextents = [2, 2, 2, 4]\n";
  test::SharedDirectory directory_;
};

TEST_F(Ensemble, AFileCountsOnce) {
  EXPECT_EQ(inspect_ensemble(job(quoted("a.ildg") + ", " + quoted("b.ildg"), lattice)).files.size(), 2u);
  EXPECT_EQ(inspect_ensemble(job(quoted("*.ildg"), lattice)).files.size(), 2u);
  const std::string a = quoted("a.ildg") + ", ";
  expect_refused(a + quoted("a.ildg"), {"job.toml", "'files' in [gauge]", "a.ildg is listed twice"});
  expect_refused(a + quoted("*.ildg"), {"listed twice"});
  for (const char* name : {"./a.ildg", "soft", "hard"})
    expect_refused(a + quoted(name), {name, "is the same file as", "a.ildg", "count twice"});
}

TEST_F(Ensemble, PatternsAreInNaturalOrder) {
  for (const char* name : {"c.10.ildg", "c.9.ildg", "c.100.ildg"})
    test::write_bytes(directory_ / name, unit_links({2, 2, 2, 4}));
  const auto files = inspect_ensemble(job(quoted("c.*.ildg") + ", " + quoted("a.ildg"), lattice)).files;
  EXPECT_EQ(files, (std::vector<std::string>{directory_ / "c.9.ildg", directory_ / "c.10.ildg",
                                             directory_ / "c.100.ildg", directory_ / "a.ildg"}));
}

TEST_F(Ensemble, NamesSayNumbers) {
  std::filesystem::create_directory(std::filesystem::path(directory_ / "r7"));
  for (const char* name : {"c.0010.ildg", "r7/c.9.ildg"})
    test::write_bytes(directory_ / name, unit_links({2, 2, 2, 4}));
  const auto numbers = [&](const std::string& files, const std::string& numbering) {
    return inspect_ensemble(JobFile::parse("job = \"measure\"\n[gauge]\nfiles = [" + quoted(files) +
                                               "]\nnumbering = \"" + numbering +
                                               "\"\n[output]\nfile = \"x.h5\"\n" + lattice,
                                           "job.toml", {}))
        .numbers;
  };
  EXPECT_EQ(numbers("c.*.ildg", "c.{trajectory}.ildg"), (std::vector<ChainNumbers>{{10, {}}}));
  EXPECT_EQ(numbers("r7/*", "r{replica}/c.{trajectory}.ildg"), (std::vector<ChainNumbers>{{9, 7}}));
  EXPECT_EQ(inspect_ensemble(job(quoted("a.ildg"), lattice)).numbers, (std::vector<ChainNumbers>{{}}));
  const auto expect = [&](const std::string& numbering, const std::vector<std::string>& parts) {
    test::expect_error(test::error_of([&] { numbers("c.*.ildg", numbering); }), ErrorKind::job_file, parts);
  };
  expect("d.{trajectory}.ildg", {"job.toml", "c.0010.ildg", "d.{trajectory}.ildg", "'numbering' in [gauge]"});
  expect("c.*.ildg", {"job.toml", "'numbering' in [gauge]", "no {trajectory}", "field.{trajectory}.nersc"});
}

TEST_F(Ensemble, TheJobSaysTheLatticeThatAFileDoesNot) {
  const auto input = inspect_ensemble(job(quoted("a.ildg"), lattice));
  EXPECT_EQ(input.extents, (Extents{2, 2, 2, 4}));
  test::expect_error(test::error_of([&] { inspect_ensemble(job(quoted("a.ildg"))); }), ErrorKind::input_file,
                     {"a.ildg", "extents in [lattice]"});
}

}  // namespace
}  // namespace plaq::jobs

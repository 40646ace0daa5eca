// Mistakes in [multigrid] are found before anything is done.
#include "settings/solver/solver_table.hpp"

#include "jobs/schema/job_file.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

const std::string multigrid_text = propagator_text + "[solver]\npreconditioner = \"multigrid\"\n";

std::string complaint(const JobFile::Overrides& overrides) {
  return message_of(ErrorKind::job_file, [&] { JobFile::parse(multigrid_text, "job.toml", overrides); });
}
void expect_good(const JobFile::Overrides& overrides) {
  EXPECT_NO_THROW(JobFile::parse(multigrid_text, "job.toml", overrides));
}

constexpr const char* small_blocks =
    "multigrid.blocks=[\"1x1x2x2\", \"1x1x1x2\"]";  // 24 rows, then 2 a vector

TEST(MultigridOptions, BlocksAreFourSmallNumbers) {
  for (const char* block : {"4x4x4", "4x4x4x8", "0x4x4x4", "a"})
    expect_holds(complaint({std::string("multigrid.blocks=[\"") + block + "\"]"}), "is no block");
  expect_holds(complaint({"multigrid.vectors=[0]"}), "found 0, must be 1 to 64");
  expect_holds(complaint({"multigrid.vectors=[65]"}), "found 65, must be 1 to 64");
  expect_holds(complaint({small_blocks, "multigrid.vectors=[4, 4, 4]"}), "3 numbers for 2 blocks");
  expect_holds(complaint({small_blocks, "multigrid.coarse_locations=[\"host\", \"host\", \"host\"]"}),
               "found 3 locations, must be one for each of the 2 coarse lattices");
}

TEST(MultigridOptions, CandidatesAreNoFewerThanVectors) {
  expect_holds(complaint({"multigrid.candidates=23"}),
               "'candidates' in [multigrid]: found 23, fewer than the 24 vectors that are chosen from them");
  expect_holds(complaint({"multigrid.vectors=[8, 4]", small_blocks, "multigrid.candidates=7"}),
               "than the 8 ");
  for (const char* candidates : {"0", "24", "48"})
    expect_good({std::string("multigrid.candidates=") + candidates});
  expect_good({"multigrid.vectors=[4, 8]", small_blocks, "multigrid.candidates=4"});
}

TEST(MultigridOptions, BlocksHaveRowsForTheirVectors) {
  expect_good({small_blocks, "multigrid.vectors=[24]"});
  expect_holds(complaint({small_blocks, "multigrid.vectors=[25]"}),
               "'vectors' in [multigrid]: found 25, but a block 1x1x2x2 has 24 components of a chirality");
  expect_good({small_blocks, "multigrid.vectors=[10, 20]"});
  expect_holds(complaint({small_blocks, "multigrid.vectors=[10, 21]"}),
               "'vectors' in [multigrid]: found 21, but a block 1x1x1x2 has 20 components of a chirality");
  expect_good({small_blocks, "multigrid.vectors=[8]", "multigrid.candidates=24"});
  expect_holds(complaint({small_blocks, "multigrid.vectors=[8]", "multigrid.candidates=25"}),
               "'candidates' in [multigrid]: found 25, but a block 1x1x2x2 has 24 components");
}

}  // namespace
}  // namespace plaq::jobs::test

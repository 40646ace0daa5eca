// campaign.toml and quarantine.toml: what is read of them, and which mistakes are reported.
#include "core/system/error.hpp"
#include "jobs/campaign/quarantine.hpp"
#include "tests/jobs/campaign/campaign_directory.hpp"

namespace plaq::jobs {
namespace {

std::string error_of(const std::string& campaign) {
  const CampaignDirectory directory(campaign);
  try {
    Campaign::read();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

void expect_says(const std::string& campaign, const std::string& part) {
  const std::string error = error_of(campaign);
  EXPECT_NE(error.find(part), std::string::npos) << error << "\nhas no: " << part;
}

const std::string ensemble = "[ensemble]\nfiles = \"f.{trajectory}.nersc\"\n";
const std::string pion = "[task.pion]\njob = \"pion.toml\"\n",
                  landau = "[task.landau]\njob = \"landau.toml\"\n";

TEST(CampaignFile, IsRead) {
  const CampaignDirectory directory;
  const Campaign campaign = Campaign::read();
  ASSERT_EQ(campaign.tasks.size(), 3u);
  EXPECT_EQ(campaign.tasks[2].name, "pion");
  EXPECT_EQ(campaign.tasks[2].job_type, "propagator");
  EXPECT_EQ(campaign.tasks[2].rungs(), 3);
  EXPECT_EQ(campaign.tasks[2].needs, std::vector<int>{1});
  EXPECT_EQ(campaign.find("landau"), 1);
  EXPECT_EQ(campaign.find("landa"), -1);
}

TEST(CampaignFile, Mistakes) {
  expect_says(ensemble, "there is no task");
  expect_says(pion, "files");
  expect_says(ensemble + "[task.pion]\njop = \"pion.toml\"\n", "jop");
  expect_says(ensemble + "[task.pion]\njob = \"nothing.toml\"\n", "nothing.toml");
  expect_says(ensemble + "[task.\"a b\"]\njob = \"pion.toml\"\n", "a task cannot be called 'a b'");
  expect_says(ensemble + pion + "after = [\"landua\"]\n" + landau, "landau");
  expect_says(ensemble + pion + "after = [\"landau\"]\n" + landau + "after = [\"pion\"]\n",
              "wait for itself");
  expect_says(ensemble + pion + "gauge = \"pion\"\n", "writes no gauge field");
  expect_says(ensemble + pion + "every = 3\ngauge = \"landau\"\n" + landau + "every = 2\n", "multiple of 2");
  expect_says(ensemble + pion + "ladder = [\"action.kappa=0.2\"]\n", "changes what is computed");
  expect_says(ensemble + pion + "ladder = [\"solver.method=no\"]\n", "method");
  expect_says("[ensemble]\nfiles = \"f.nersc\"\n" + pion, "trajectory");
  // The names of two replicas differ in their directories alone, and what is made of them goes to one.
  expect_says("[ensemble]\nfiles = \"r{replica}/f.{trajectory}.nersc\"\n" + landau, "would both write");
}

TEST(CampaignFile, NamesOfConfigurations) {
  const CampaignDirectory directory("[ensemble]\nfiles = \"r{replica}.f.{trajectory}\"\n" + pion);
  for (const char* name : {"r2.f.3", "r1.f.20", "r1.f.3", "r1.f.x", "r1.g.4"})
    CampaignDirectory::write(name, "");
  const auto found = Campaign::read().configurations();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "r01.000003");
  EXPECT_EQ(found[1].name, "r01.000020");
  EXPECT_EQ(found[2].name, "r02.000003");
  EXPECT_EQ(found[2].file, "r2.f.3");
  CampaignDirectory::write("r01.f.03", "");
  EXPECT_THROW(Campaign::read().configurations(), Error);
}

TEST(CampaignFile, JobsOfItems) {
  const CampaignDirectory directory;
  const Campaign campaign = Campaign::read();
  const Configuration field{"000010", "fields/f.10.nersc", {10, {}}};
  const JobFile job = campaign.job(campaign.tasks[2], &field, 2, "work/x.h5").parse();
  const std::string text = job.canonical_text();
  for (const char* part : {"files = [\"fixed/landau.f.10.nersc\"]", "file = \"work/x.h5\"",
                           "method = \"bicgstab\"", "numbering = \"fixed/landau.f.{trajectory}.nersc\""})
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
}

// Items of two tasks that fail on one damaged field are found at once.
TEST(QuarantineFile, OneFieldOfTwoItemsIsLeftOutOnce) {
  const CampaignDirectory directory;
  const Exclusion damaged{"all", "000012", "input_file", "it is damaged", "w", "now"};
  add_to_quarantine({damaged, damaged}, "w");
  add_to_quarantine({damaged}, "v");
  EXPECT_EQ(read_quarantine().size(), 1u);
}

TEST(QuarantineFile, PeopleEditIt) {
  const CampaignDirectory directory;
  EXPECT_TRUE(read_quarantine().empty());
  add_to_quarantine({{"pion", "r01.000120", "not_converged", "it \"says\"\nso", "w", "t"}}, "w");
  add_to_quarantine(
      {{"pion", "r01.000120", "other", "", "w", "t"}, {"all", "000140", "by_hand", "", "w", "t"}}, "w");
  auto found = read_quarantine();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].task, "pion");
  EXPECT_EQ(found[0].configuration, "r01.000120");
  EXPECT_EQ(found[0].reason, "not_converged");
  EXPECT_EQ(found[0].message, "it \"says\"\nso");
  EXPECT_EQ(found[1].configuration, "000140");
  std::ofstream(quarantine_file, std::ios::app)
      << "# a remark of mine\n[all.000160]\nreason = \"I know why\"\n";
  EXPECT_EQ(read_quarantine().size(), 3u);
  EXPECT_EQ(
      remove_from_quarantine([](const Exclusion& one) { return one.configuration == "r01.000120"; }, "w")
          .size(),
      1u);
  found = read_quarantine();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].reason, "I know why");
  std::ofstream(quarantine_file) << "[all.";
  EXPECT_THROW(read_quarantine(), Error);
}

}  // namespace
}  // namespace plaq::jobs

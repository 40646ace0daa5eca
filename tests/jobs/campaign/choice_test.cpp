// Choice of the next item of a worker, by earlier attempts.
#include "jobs/campaign/choice.hpp"

#include <limits>
#include <vector>

#include "tests/jobs/campaign/campaign_directory.hpp"

namespace plaq::jobs::choice_test {
namespace {

constexpr int measure = 0, landau = 1, pion = 2;

class ChoiceTest : public testing::Test {
 protected:
  ChoiceTest() {
    for (const int number : {10, 20, 30}) CampaignDirectory::field(number);
    chooser_.node = "n1";
    chooser_.time_left = std::numeric_limits<double>::infinity();
    chooser_.taken = [](const Item&) { return false; };
  }
  Choice choice() const {
    const Campaign campaign = Campaign::read();
    return choose(campaign, CampaignState(campaign), chooser_);
  }
  std::vector<std::string> chosen() const {
    const Campaign campaign = Campaign::read();
    std::vector<std::string> names;
    for (const Item& item : choose(campaign, CampaignState(campaign), chooser_).items)
      names.push_back(item_name(campaign, item));
    return names;
  }
  std::string left_out() const {
    const Campaign campaign = Campaign::read();
    const CampaignState state(campaign);
    std::string text;
    for (const Item& item : choose(campaign, state, chooser_).to_leave_out) {
      const auto reason = reason_to_leave_out(campaign, state, item);
      text += reason->task + '.' + reason->configuration + ' ' + reason->reason + ';';
    }
    return text;
  }
  CampaignDirectory directory_;
  Chooser chooser_;
};

using Names = std::vector<std::string>;

TEST_F(ChoiceTest, InTheOrderOfTasksAndNumbers) {
  EXPECT_EQ(chosen(), (Names{"measure/000010", "measure/000020", "measure/000030", "landau/000010",
                             "landau/000020", "landau/000030"}));
  EXPECT_TRUE(choice().waits);  // pion, for landau
  CampaignDirectory::field(15);
  EXPECT_EQ(chosen().at(1), "measure/000015");
}

TEST_F(ChoiceTest, WhatIsDoneOrTaken) {
  const Campaign campaign = Campaign::read();
  for (const char* name : {"000010", "000020", "000030"}) CampaignDirectory::done(campaign, {measure, name});
  CampaignDirectory::done(campaign, {landau, "000020"});
  EXPECT_EQ(chosen(), (Names{"landau/000010", "landau/000030", "pion/000020"}));
  chooser_.taken = [](const Item& item) { return item.configuration == "000020"; };
  EXPECT_EQ(chosen(), (Names{"landau/000010", "landau/000030"}));
  chooser_.wanted = [](int task) { return task == pion; };
  EXPECT_EQ(chosen(), Names{});
}

TEST_F(ChoiceTest, ABadFileIsReadAgainAndLeftOutOfAllTasks) {
  CampaignDirectory::tell(EventKind::failed, "measure/000020", 4);
  EXPECT_EQ(chosen().back(), "measure/000020");  // others first
  EXPECT_EQ(left_out(), "");
  chooser_.others_live = true;  // on other nodes: it is for them
  EXPECT_EQ(chosen().size(), 5u);
  chooser_.node = "n2";
  EXPECT_EQ(chosen().size(), 6u);
  CampaignDirectory::tell(EventKind::failed, "measure/000020", 4, 0, "n2");
  EXPECT_EQ(left_out(), "all.000020 input_file;");
  add_to_quarantine({{"all", "000020", "input_file", "it is damaged", "w", "now"}}, "w");
  EXPECT_EQ(left_out(), "");
  EXPECT_EQ(chosen(), (Names{"measure/000010", "measure/000030", "landau/000010", "landau/000030"}));
  CampaignDirectory::tell(EventKind::retry, "measure/000020");
  EXPECT_EQ(remove_from_quarantine([](const Exclusion&) { return true; }, "w").size(), 1u);
  EXPECT_EQ(chosen().size(), 6u);
}

TEST_F(ChoiceTest, ASolveClimbsTheLadder) {
  const Campaign campaign = Campaign::read();
  for (const char* name : {"000010", "000020", "000030"})
    for (const int task : {measure, landau}) CampaignDirectory::done(campaign, {task, name});
  const auto rung = [&] { return CampaignState(campaign).history({pion, "000010"}).rung; };
  EXPECT_EQ(rung(), 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(left_out(), "");
    EXPECT_EQ(rung(), i);
    CampaignDirectory::tell(EventKind::failed, "pion/000010", 6, i);
  }
  EXPECT_EQ(left_out(), "pion.000010 not_converged;");
}

TEST_F(ChoiceTest, AMachineThatFails) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(left_out(), "");
    CampaignDirectory::tell(EventKind::failed, "measure/000020", 8, 0, "n" + std::to_string(i));
  }
  EXPECT_EQ(left_out(), "measure.000020 machine;");
}

TEST_F(ChoiceTest, ANodeIsAvoidedForDifferentItemsInARow) {
  const Campaign campaign = Campaign::read();
  const auto failed = [&] { return CampaignState(campaign).node("n1").failed.size(); };
  for (const char* item : {"measure/000010", "measure/000010", "measure/000020"})
    CampaignDirectory::tell(EventKind::failed, item, 8);
  EXPECT_EQ(failed(), 2u);
  CampaignDirectory::tell(EventKind::done, "measure/000030");
  EXPECT_EQ(failed(), 0u);
  CampaignDirectory::tell(EventKind::failed, "measure/000010", 1);
  EXPECT_EQ(failed(), 1u);
  CampaignDirectory::tell(EventKind::failed, "measure/000020", 4);  // is of the file
  EXPECT_EQ(failed(), 1u);
  CampaignDirectory::tell(EventKind::retry, "");
  EXPECT_EQ(failed(), 0u);
}

TEST_F(ChoiceTest, WorkersThatDie) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(left_out(), "");
    CampaignDirectory::tell(EventKind::lost, "measure/000020");
  }
  EXPECT_EQ(left_out(), "measure.000020 lost;");
}

TEST_F(ChoiceTest, AJobThatDoesNotSuitAField) {
  CampaignDirectory::tell(EventKind::failed, "measure/000020", 3);
  EXPECT_EQ(left_out(), "measure.000020 job_file;");
}

TEST_F(ChoiceTest, NothingThatDoesNotFit) {
  CampaignDirectory::tell(EventKind::done, "measure/000010");  // in 10 s
  CampaignDirectory::done(Campaign::read(), {measure, "000010"});
  chooser_.time_left = 12;
  EXPECT_EQ(chosen().size(), 5u);
  chooser_.time_left = 10.5;  // 11 are wanted; how long landau takes is not known
  EXPECT_EQ(chosen(), (Names{"landau/000010", "landau/000020", "landau/000030"}));
  EXPECT_TRUE(choice().no_time);
  chooser_.ranks = 2;  // on which it may take any time
  EXPECT_EQ(chosen().size(), 5u);
}

TEST_F(ChoiceTest, WhatIsLeftOutIsSoForWhatNeedsIt) {
  add_to_quarantine({{"landau", "000010", "by_hand", "\"quoted\"\nlines", "me", "now"}}, "me");
  const Campaign campaign = Campaign::read();
  const CampaignState state(campaign);
  ASSERT_NE(state.exclusion({pion, "000010"}), nullptr);
  EXPECT_EQ(state.exclusion({pion, "000010"})->message, "\"quoted\"\nlines");
  EXPECT_EQ(state.status({pion, "000010"}), ItemStatus::excluded);
  EXPECT_EQ(state.status({pion, "000020"}), ItemStatus::waits);
  EXPECT_EQ(state.status({measure, "000010"}), ItemStatus::ready);
  // What it needed may be done all the same.
  CampaignDirectory::done(campaign, {landau, "000010"});
  EXPECT_EQ(CampaignState(campaign).status({pion, "000010"}), ItemStatus::ready);
}

}  // namespace
}  // namespace plaq::jobs::choice_test

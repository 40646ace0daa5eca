// Logs of workers that others have written to: what is no event is passed over.
#include "jobs/campaign/worker_log.hpp"

#include <sys/stat.h>

#include "core/system/error.hpp"
#include "tests/jobs/campaign/campaign_directory.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* good = "{\"event\": \"done\", \"item\": \"pion/000010\", \"rung\": 1}\n";

TEST(WorkerLogs, LinesThatAreNoEvents) {
  const CampaignDirectory directory;
  std::string text;
  for (const char* line :
       {"nonsense\n", "[1]\n", "{}\n", "{\"event\": 3}\n", "{\"event\": \"done\", \"rung\": \"1\"}\n",
        "{\"event\": \"done\", \"rung\": 1.5}\n", "{\"event\": \"done\", \"rung\": 99999999999}\n",
        "{\"event\": \"done\", \"at\": null}\n"})
    text += std::string(line) + good;
  CampaignDirectory::write("log/w.jsonl", text + std::string(3 << 20, 'x') + '\n' + good + "{\"event\"");
  LogReader reader;
  const auto events = reader.read_new();
  ASSERT_EQ(events.size(), 9u);
  for (const Event& event : events) {
    EXPECT_EQ(event.item, "pion/000010");
    EXPECT_EQ(event.rung, 1);
  }
  std::ofstream("log/w.jsonl", std::ios::app) << ": \"end\"}\n";
  EXPECT_EQ(reader.read_new().size(), 1u);
  EXPECT_TRUE(reader.read_new().empty());
}

TEST(WorkerLogs, FilesThatAreNoLogs) {
  const CampaignDirectory directory;
  CampaignDirectory::write("log/w.jsonl", good);
  ASSERT_EQ(::mkfifo("log/pipe.jsonl", 0600), 0);
  std::filesystem::create_symlink("/dev/zero", "log/link.jsonl");
  std::filesystem::create_directory("log/folder.jsonl");
  EXPECT_EQ(LogReader().read_new().size(), 1u);
  for (const char* name : {"pipe", "link"}) EXPECT_THROW(WorkerLog log(name), Error) << name;
}

}  // namespace
}  // namespace plaq::jobs

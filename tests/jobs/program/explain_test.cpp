// plaq explain: every exit code has its explanation.
#include <set>
#include <sstream>

#include "jobs/common/commands.hpp"
#include "jobs/program/command_line.hpp"
#include "jobs/program/exit_codes.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

TEST(Explain, EveryKindOfError) {
  const auto codes = exit_codes();
  ASSERT_EQ(codes.size(), 11u);
  std::set<std::string> names;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const ExitCode& c = codes[i];
    EXPECT_EQ(c.code, static_cast<int>(i));
    for (const char* text : {c.name, c.meaning, c.causes, c.remedy, c.outputs}) EXPECT_STRNE(text, "") << i;
    EXPECT_TRUE(names.insert(c.name).second) << c.name;
    if (i > 0 && i != exit_incomplete) {
      EXPECT_STREQ(exit_code_of(static_cast<ErrorKind>(i)).name, c.name);
    }
    const std::string full = explain_text(std::to_string(i));
    EXPECT_EQ(full, explain_text(c.name));
    for (const char* part : {"meaning", "causes", "do", "outputs", c.name}) expect_holds(full, part);
    expect_holds(explain_text(""), c.name);
  }
  EXPECT_EQ(exit_code_of(ErrorKind::stopped).code, 9);
  EXPECT_STREQ(exit_code_of(ErrorKind::not_converged).name, "not_converged");
}

TEST(Explain, Signals) {
  expect_holds(explain_text("137"), "SIGKILL");
  expect_holds(explain_text("137"), "memory");
  expect_holds(explain_text("143"), "128 + 15, SIGTERM");
  EXPECT_EQ(explain_text("143"), explain_text("SIGTERM"));
  expect_holds(explain_text("132"), "PLAQ_HOST_ISA");
  expect_holds(explain_text("150"), "signal 22");  // one without words of its own
  expect_holds(explain_text("127"), "shell");
  expect_holds(explain_text(""), "mpirun");
  expect_holds(explain_text(""), "EXIT STRING");
}

TEST(Explain, LinesFitATerminal) {
  std::string all = explain_text("");
  for (int code = 0; code < 11; ++code) all += explain_text(std::to_string(code));
  for (const char* name : {"SIGILL", "SIGKILL", "SIGBUS"}) all += explain_text(name);
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(Explain, Mistakes) {
  for (const char* bad : {"11", "-1", "128", "193", "256", "99999999999999"})
    expect_holds(message_of(ErrorKind::usage, [&] { explain_text(bad); }), bad);
  expect_holds(message_of(ErrorKind::usage, [] { explain_text("devise"); }), "did you mean 'device'?");
  const char* words[] = {"plaq", "explain", "6"};
  EXPECT_EQ(std::get<ExplainOptions>(parse_command_line(3, words)).code, "6");
}

}  // namespace
}  // namespace plaq::jobs::test

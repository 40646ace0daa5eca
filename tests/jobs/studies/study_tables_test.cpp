// The tables of a solver study from numbers that are known.
#include <sstream>

#include "jobs/schema/job_file.hpp"
#include "jobs/solver_study/study_tables.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

StudySpec study(const std::vector<std::string>& solvers, const std::string& masses) {
  std::string list;
  for (const auto& solver : solvers) list += "\"" + solver + "\", ";
  return StudySpec(JobFile::parse("job = \"solver_study\"\n[gauge]\nfiles = [\"a.nersc\"]\n[action]\n" +
                                      masses + "\n[study]\nsources = 2\nsolvers = [" + list +
                                      "]\n[output]\nfile = \"study.h5\"\n",
                                  "job.toml"));
}

// Two configurations: 100 iterations times (solver + 1) plus the mass's number, 3 more on the second, 1 more
// for the second source; 7 updates; (solver + 1) seconds. The last solver fails once, at the last mass.
Results results_of(const StudySpec& spec) {
  const std::size_t masses = spec.masses.size(), solvers = spec.solvers.size();
  std::vector<std::int64_t> iterations, updates, outcome;
  std::vector<double> seconds;
  for (int c = 0; c < 2; ++c)
    for (std::size_t m = 0; m < masses; ++m)
      for (std::size_t s = 0; s < solvers; ++s) {
        seconds.push_back(static_cast<double>(s + 1));
        for (int source = 0; source < 2; ++source) {
          iterations.push_back(static_cast<std::int64_t>(100 * (s + 1) + m) + 3 * c + source);
          updates.push_back(7);
          outcome.push_back(c == 1 && source == 0 && m + 1 == masses && s + 1 == solvers ? 3 : 0);
        }
      }
  Results results;
  results.dataset("/solves/iterations", {2, masses, solvers, 2}, iterations);
  results.dataset("/solves/updates", {2, masses, solvers, 2}, updates);
  results.dataset("/solves/outcome", {2, masses, solvers, 2}, outcome);
  results.dataset("/solves/seconds", {2, masses, solvers, 1}, seconds);
  return results;
}

TEST(StudyTables, HaveAverages) {
  const StudySpec spec =
      study({"cg, double 18", "bicgstab, double 18", "bicgstab, half 12 in double 18, defect correction 0.1",
             "bicgstab, single 8 in double 18, defect correction 1e-3"},
            "kappas = [0.12, 0.1545]");
  EXPECT_EQ(
      study_tables(spec, results_of(spec)),
      "One precision: iterations (*: did not converge)\n\n"
      "                   cg   bicgstab\n"
      "kappa       double 18  double 18\n"
      "0.12              102        202\n"
      "0.1545            103        203\n\n"
      "One precision: seconds (speed-up against cg, double 18)\n\n"
      "                   cg   bicgstab\n"
      "kappa       double 18  double 18\n"
      "0.12         1 (1.00)   2 (0.50)\n"
      "0.1545       1 (1.00)   2 (0.50)\n\n"
      "Defect correction by inner tolerance, bicgstab in double 18: iterations and recomputed residuals (*: "
      "did not\nconverge)\n\n"
      "             half 12  single 8\n"
      "kappa            0.1     0.001\n"
      "0.12             309       409\n"
      "0.1545           310         *\n\n"
      "Defect correction by inner tolerance, bicgstab in double 18: seconds (speed-up against cg, double "
      "18)\n\n"
      "             half 12  single 8\n"
      "kappa            0.1     0.001\n"
      "0.12        3 (0.33)  4 (0.25)\n"
      "0.1545      3 (0.33)         *\n\n");
}

TEST(StudyTables, FitATerminal) {
  std::vector<std::string> solvers;
  for (const char* method : {"bicgstab", "gcr(128)", "cg"})
    for (const char* inner : {"half 12", "single 8", "single 18"})
      for (const char* outer : {"double 18", "single 12"})
        for (const char* number : {"0.1", "0.0125"})
          solvers.push_back(std::string(method) + ", " + inner + " in " + outer + ", reliable updates " +
                            number);
  const StudySpec spec = study(solvers, "masses = [0.1, -0.123456789, 0.3]");
  const std::string text = study_tables(spec, results_of(spec));
  std::istringstream lines(text);
  std::size_t rows = 0, cells = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 110u) << line;
    if (!line.starts_with("-0.123457")) continue;
    ++rows;
    std::istringstream words(line.substr(10));
    for (std::string word; words >> word;) cells += word.starts_with("(") ? 0 : 1;
  }
  EXPECT_GE(rows, 2u * 5);
  EXPECT_EQ(cells, 2 * solvers.size());
  EXPECT_EQ(text.find("One precision"), std::string::npos);
}

TEST(StudyTables, ABaselineThatFailedHasNoSpeedUp) {
  const StudySpec spec = study({"cg, double 18"}, "masses = [0.1]");
  const std::string text = study_tables(spec, results_of(spec));
  expect_holds(text, "0.1                 *\n");
  EXPECT_EQ(text.find("(1.00)"), std::string::npos);
}

}  // namespace
}  // namespace plaq::jobs::test

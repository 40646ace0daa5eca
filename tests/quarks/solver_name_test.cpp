// Solvers by name: parse_solver is the inverse of name_of, and says what it expected.
#include <algorithm>

#include "quarks/solve/solver_settings.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::test {
namespace {

using jobs::test::expect_holds;
using jobs::test::message_of;

std::vector<LinkStorage> all_storages() {
  std::vector<LinkStorage> all;
  for (const Precision p :
       {Precision::double_precision, Precision::single_precision, Precision::half_precision})
    for (const int reals : {18, 12, 8}) all.emplace_back(p, reals);
  return all;
}

// Every method, storage and scheme, with numbers that are not the defaults.
std::vector<SolverSettings> all_solvers() {
  std::vector<SolverSettings> all;
  for (const SolverMethod method :
       {SolverMethod::cg, SolverMethod::cgne, SolverMethod::bicgstab, SolverMethod::gcr, SolverMethod::mr})
    for (const LinkStorage& outer : all_storages()) {
      SolverSettings spec;
      spec.scheme = MixedScheme::none;
      spec.method = method;
      spec.outer = outer;
      if (method == SolverMethod::gcr) spec.restart = 7;
      if (method == SolverMethod::mr) spec.omega = 0.85;
      all.push_back(spec);
      for (const LinkStorage& inner : all_storages())
        for (const double number : {0.1, 1e-3, 2.5e-05}) {
          spec.inner = inner;
          SolverSettings reliable = spec, defect = spec;
          reliable.scheme = MixedScheme::reliable_updates;
          reliable.delta = number;
          defect.scheme = MixedScheme::defect_correction;
          defect.inner_tolerance = number;
          all.insert(all.end(), {reliable, defect});
        }
    }
  return all;
}

TEST(SolverName, IsReadBack) {
  const auto all = all_solvers();
  ASSERT_EQ(all.size(), 5u * 9 * (1 + 9 * 3 * 2));
  for (const SolverMethod method : {SolverMethod::cg, SolverMethod::cgne})
    for (const int modes : {0, 1, 64}) {
      SolverSettings spec;
      spec.scheme = MixedScheme::none;
      spec.method = method;
      spec.modes = modes;
      EXPECT_EQ(parse_solver(name_of(spec)), spec) << name_of(spec);
    }
  EXPECT_EQ(parse_solver("cg with deflation, double 18").modes, 0);
  for (const SolverSettings& spec : all) EXPECT_EQ(parse_solver(name_of(spec)), spec) << name_of(spec);
}

TEST(SolverName, WhiteSpaceIsOfNoMeaning) {
  for (const SolverSettings& spec : all_solvers()) {
    std::string wide = " ", narrow;
    for (const char c : name_of(spec)) {
      wide += c == ' '                           ? "\t  "
              : c == ',' || c == '(' || c == ')' ? std::string(" ") + c + ' '
                                                 : std::string(1, c);
      if (!narrow.ends_with(',') || c != ' ') narrow += c;
    }
    EXPECT_EQ(parse_solver(wide + "\n"), spec) << wide;
    EXPECT_EQ(parse_solver(narrow), spec) << narrow;
  }
  EXPECT_EQ(parse_solver("cg,double18"), parse_solver("cg, double 18"));
}

TEST(SolverName, LeavesTheRestToOthers) {
  SolverSettings rest;
  rest.preconditioning = Preconditioning::none;
  rest.fallback = false;
  rest.restart = 5;
  rest.omega = 0.9;
  rest.tolerance = 1e-3;
  rest.max_iterations = 17;
  const SolverSettings gcr = parse_solver("gcr, single 8", rest), mr = parse_solver("mr, double 12", rest);
  EXPECT_EQ(name_of(gcr), "gcr(5), single 8");
  EXPECT_EQ(name_of(mr), "mr(0.9), double 12");
  EXPECT_EQ(parse_solver("gcr(6), single 8", rest).restart, 6);
  EXPECT_EQ(gcr.preconditioning, Preconditioning::none);
  EXPECT_EQ(gcr.tolerance, 1e-3);
  EXPECT_EQ(gcr.max_iterations, 17);
  EXPECT_EQ(gcr.scheme, MixedScheme::none);
  EXPECT_FALSE(gcr.fallback);
  EXPECT_TRUE(parse_solver("gcr, single 8").fallback);
}

TEST(SolverName, MistakesAreNamed) {
  const auto complaint = [](const char* text) {
    return message_of(ErrorKind::job_file, [&] { parse_solver(text); });
  };
  const struct {
    const char *text, *expected, *found;
  } wrong[] = {
      {"", "character 1: expected a method (cg, cgne, bicgstab, gcr, mr)", "found the end"},
      {"bicg, double 18", "character 1: expected a method", "found \"bicg, double 18\""},
      {"cg double 18", "character 4: expected ',' after the method", "found \"double 18\""},
      {"bicgstab with deflation, double 18", "character 10: expected ',': deflation is of cg and cgne",
       "found \"with"},
      {"cg with deflation(0), double 18", "modes that deflate, 1 to 65536", "found \"0)"},
      {"cg with deflation(4, double 18", "expected ')'", "found \", double 18\""},
      {"cg with multigrid, double 18", "multigrid is a preconditioner of gcr", "found \"with"},
      {"cg(3), double 18", "expected ','", "found \"(3), double 18\""},
      {"gcr(0), double 18", "directions that GCR keeps, 1 to 1000", "found \"0)"},
      {"gcr(2.5), double 18", "directions that GCR keeps", "found \"2.5)"},
      {"gcr(16, double 18", "expected ')'", "found \", double 18\""},
      {"mr(2), double 18", "relaxation of MR, between 0 and 2", "found \"2)"},
      {"cg, quadruple 18", "character 5: expected a precision (double, single, half)", "\"quadruple 18\""},
      {"cg, double", "reconstruction of links (18, 12, 8)", "found the end"},
      {"cg, double 10", "reconstruction of links (18, 12, 8)", "found \"10\""},
      {"cg, double 18x", "reconstruction of links (18, 12, 8)", "found \"18x\""},
      {"cg, double 18, reliable updates 0.1", "expected the end, or \"in\"", "found \", reliable"},
      {"cg, half 12 in double 18", "',' after the storage outside", "found the end"},
      {"cg, half 12 in double 18, updates 0.1", "\"reliable updates\" or \"defect correction\"",
       "\"updates 0.1\""},
      {"cg, half 12 in double 18, reliable updates", "delta of reliable updates, between 0 and 1", "the end"},
      {"cg, half 12 in double 18, reliable updates 1", "delta", "found \"1\""},
      {"cg, half 12 in double 18, defect correction 1e", "inner tolerance", "found \"1e\""},
      {"cg, half 12 in double 18, defect correction nan", "inner tolerance", "found \"nan\""},
      {"cg, half 12 in double 18, defect correction 0.1 0.2", "expected the end", "found \"0.2\""},
  };
  for (const auto& one : wrong) {
    const std::string text = complaint(one.text);
    expect_holds(text, one.expected);
    expect_holds(text, one.found);
  }
}

}  // namespace
}  // namespace plaq::test

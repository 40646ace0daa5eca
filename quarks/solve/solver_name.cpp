// Solvers by name: parse_solver, the inverse of name_of.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <span>
#include <utility>

#include "core/field/storages.hpp"
#include "core/system/error.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq {
namespace {

constexpr int least_restart = 1, most_restart = 1000, most_modes = 1 << 16;

// Words, numbers and signs of a text, with any white space between them.
class SolverText {
 public:
  explicit SolverText(std::string_view text) : text_(text) {}

  // Letters; empty where there are none.
  std::string word() {
    return take([](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
  }
  bool sign(char wanted) {
    skip();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect_sign(char wanted, std::string_view after) {
    const std::size_t here = at_;
    if (!sign(wanted)) fail(here, fmt::format("'{}' after {}", wanted, after));
  }
  double number(double low, double high, std::string_view what) {
    const auto inside = [&](double x) { return x > low && x < high; };
    return parse<double>(inside, fmt::format("{}, between {:g} and {:g}", what, low, high));
  }
  int integer(int low, int high, std::string_view what) {
    const auto inside = [&](int n) { return n >= low && n <= high; };
    return parse<int>(inside, fmt::format("{}, {} to {}", what, low, high));
  }
  int one_of(std::span<const int> allowed, std::string_view what) {
    const auto inside = [&](int n) { return std::find(allowed.begin(), allowed.end(), n) != allowed.end(); };
    return parse<int>(inside, fmt::format("{} ({})", what, fmt::join(allowed, ", ")));
  }
  bool at_end() {
    skip();
    return at_ == text_.size();
  }
  std::size_t here() {
    skip();
    return at_;
  }

  // The text at `from` is not the expected one.
  [[noreturn]] void fail(std::size_t from, const std::string& expected) {
    at_ = from;
    skip();
    const std::string_view rest = text_.substr(at_);
    throw Error(ErrorKind::job_file,
                fmt::format("\"{}\", character {}: expected {}, found {}", text_, at_ + 1, expected,
                            rest.empty() ? "the end" : fmt::format("\"{}\"", rest)));
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  template <class Part>
  std::string take(Part&& part) {
    skip();
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto end = std::find_if_not(begin, text_.end(), part);
    at_ += static_cast<std::size_t>(end - begin);
    return {begin, end};
  }
  template <class T, class Inside>
  T parse(Inside&& inside, const std::string& expected) {
    const std::size_t from = at_;
    const std::string digits = take([](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '+' || c == '-';
    });
    T value{};
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc() || end != digits.data() + digits.size() || digits.empty() || !inside(value))
      fail(from, expected);
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// "gcr(16)", "bicgstab".
void read_method(SolverText& text, SolverSettings& settings) {
  const std::size_t from = text.here();
  const std::string name = text.word();
  const auto found = std::find(std::begin(solver_method_names), std::end(solver_method_names), name);
  if (found == std::end(solver_method_names))
    text.fail(from, fmt::format("a method ({})", fmt::join(solver_method_names, ", ")));
  settings.method = static_cast<SolverMethod>(found - std::begin(solver_method_names));
  const bool gcr = settings.method == SolverMethod::gcr, mr = settings.method == SolverMethod::mr;
  if (!(gcr || mr) || !text.sign('(')) return;
  if (gcr) settings.restart = text.integer(least_restart, most_restart, "directions that GCR keeps");
  if (mr) settings.omega = text.number(0, 2, "the relaxation of MR");
  text.expect_sign(')', "the number of the method");
}

// "(16)" behind "with deflation", or nothing: all modes.
void read_modes(SolverText& text, SolverSettings& settings, std::size_t from) {
  if (settings.method != SolverMethod::cg && settings.method != SolverMethod::cgne)
    text.fail(from, "',': deflation is of cg and cgne");
  settings.modes = 0;
  if (!text.sign('(')) return;
  settings.modes = text.integer(1, most_modes, "modes that deflate");
  text.expect_sign(')', "the number of modes");
}

// "with multigrid" or "with deflation(16)" behind the method, or nothing.
// `multigrid`: how, where it is there.
void read_preconditioner(SolverText& text, SolverSettings& settings, const MultigridOptions& multigrid) {
  const std::size_t from = text.here();
  if (text.sign(',')) return;
  const std::string with = text.word(), what = text.word();
  if (with != "with" || (what != "multigrid" && what != "deflation"))
    text.fail(from, "',' after the method, or \"with multigrid\" or \"with deflation\"");
  if (what == "deflation") {
    read_modes(text, settings, from);
  } else {
    if (settings.method != SolverMethod::gcr) text.fail(from, "',': multigrid is a preconditioner of gcr");
    settings = with_multigrid(settings, multigrid);
  }
  text.expect_sign(',', "the preconditioner");
}

// "half 12".
LinkStorage read_storage(SolverText& text) {
  const std::size_t from = text.here();
  const auto precision = precision_named(text.word());
  if (!precision) text.fail(from, fmt::format("a precision ({})", fmt::join(precision_names(), ", ")));
  return {*precision, text.one_of(all_reconstructions, "the reconstruction of links")};
}

// "reliable updates 0.1".
void read_scheme(SolverText& text, SolverSettings& settings) {
  const std::size_t from = text.here();
  const std::string first = text.word(), second = text.word();
  for (const MixedScheme scheme : {MixedScheme::reliable_updates, MixedScheme::defect_correction})
    if (first + ' ' + second == name_of(scheme)) settings.scheme = scheme;
  if (settings.scheme == MixedScheme::none)
    text.fail(from, fmt::format("\"{}\" or \"{}\" with a number", name_of(MixedScheme::reliable_updates),
                                name_of(MixedScheme::defect_correction)));
  if (settings.scheme == MixedScheme::reliable_updates)
    settings.delta = text.number(0, 1, "delta of reliable updates");
  if (settings.scheme == MixedScheme::defect_correction)
    settings.inner_tolerance = text.number(0, 1, "the inner tolerance of defect correction");
}

}  // namespace

SolverSettings parse_solver(std::string_view name, const SolverSettings& rest) {
  SolverSettings settings = rest;
  settings.scheme = MixedScheme::none;
  settings.multigrid.reset();
  settings.modes.reset();
  SolverText text(name);
  read_method(text, settings);
  read_preconditioner(text, settings, rest.multigrid.value_or(MultigridOptions()));
  settings.outer = read_storage(text);
  if (text.at_end()) return settings;
  const std::size_t from = text.here();
  if (text.word() != "in")
    text.fail(from, "the end, or \"in\" and the storage outside, as in \"single 12 in double 18\"");
  settings.inner = std::exchange(settings.outer, read_storage(text));
  text.expect_sign(',', "the storage outside");
  read_scheme(text, settings);
  if (!text.at_end()) text.fail(text.here(), "the end");
  return settings;
}

}  // namespace plaq

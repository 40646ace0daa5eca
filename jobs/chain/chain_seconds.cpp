#include "jobs/chain/chain_seconds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <numeric>
#include <sstream>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "core/system/runs_dry.hpp"
#include "io/bytes/temporary_file.hpp"

namespace plaq::jobs {
namespace {

// The number of a row that is complete; nothing of other lines.
std::optional<std::int64_t> number_of_row(const std::string& line, std::size_t columns) {
  std::istringstream words(line);
  std::int64_t number = 0;
  if (!(words >> number)) return std::nullopt;
  double value = 0;
  std::size_t count = 0;
  while (words >> value) ++count;
  return words.eof() && count == columns ? std::optional(number) : std::nullopt;
}

}  // namespace

ChainSeconds::ChainSeconds(const ChainPlan& plan, bool writes)
    : plan_(plan), path_(plan.seconds_name()), writes_(writes && !plan.kind.seconds.empty() && !runs_dry()) {}

std::string ChainSeconds::head() const {
  return fmt::format(
      "# plaq {}: seconds of each {} of chain {} on the first rank; another run takes others\n"
      "# {} all files observables {}\n",
      version(), plan_.kind.step, plan_.chain, plan_.kind.counter, fmt::join(plan_.kind.seconds, " "));
}

void ChainSeconds::begin(std::int64_t step) {
  if (!writes_) return;
  std::string text = head();
  std::ifstream in(path_);
  std::string first, second, line;
  std::getline(in, first);
  std::getline(in, second);
  if (!first.empty() && !first.starts_with("# plaq "))
    return fail(path_ + ": is no table of seconds, and stays as it is");
  if (first + "\n" + second + "\n" == text)
    while (std::getline(in, line) && !in.eof())  // a line without an end was cut off
      if (const auto number = number_of_row(line, plan_.kind.seconds.size() + 3);
          number && *number <= plan_.number_of(step))
        text += line + "\n";
  try {
    write_atomically(path_, text, true);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::output_file) throw;
    fail(error.what());
  }
}

void ChainSeconds::append(std::int64_t step, const std::vector<double>& seconds) {
  if (!writes_) return;
  const double files = std::exchange(files_, 0), observables = std::exchange(observables_, 0);
  const double all = std::accumulate(seconds.begin(), seconds.end(), files + observables);
  std::ofstream out(path_, std::ios::app);
  out << fmt::format("{} {:.6g} {:.6g} {:.6g} {:.6g}\n", plan_.number_of(step), all, files, observables,
                     fmt::join(seconds, " "))
      << std::flush;
  if (!out) fail(path_ + ": cannot be written");
}

// Seconds are no result: the chain goes on without them.
void ChainSeconds::fail(const std::string& why) {
  writes_ = false;
  log::warning(fmt::format("{}\nseconds of further {} are not written", why, plan_.kind.steps));
}

}  // namespace plaq::jobs

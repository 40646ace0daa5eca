#include "quarks/solve/solve_stop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "core/system/log.hpp"
#include "core/system/progress.hpp"
#include "core/system/timer.hpp"

namespace plaq {
namespace {

constexpr double between_questions = 0.5;  // seconds
constexpr double least_spent = 1;          // seconds of a source before its length can be told
constexpr int most_iterations = 10000;     // between questions

}  // namespace

SolveStop::SolveStop(Communicator comm, std::function<double()> seconds)
    : comm_(std::move(comm)),
      seconds_(seconds ? std::move(seconds) : seconds_now),
      begin_(seconds_()),
      last_(begin_) {}

void SolveStop::after_iteration(double done) {
  if (++skipped_ < every_) return;
  const double now = seconds_(), spent = now - begin_;
  // All ranks agree on the signal of any rank, the slowest clock and the longest rest.
  double agreed[4] = {static_cast<double>(stop_.here()), (now - last_) / skipped_, spent,
                      spent * (1 - done) / std::max(done, 1e-3)};
  comm_.max(std::span(agreed));
  const auto [number, iteration, all_spent, rest] = agreed;
  every_ = static_cast<int>(
      std::clamp(between_questions / std::max(iteration, 1e-9), 1.0, static_cast<double>(most_iterations)));
  skipped_ = 0;
  last_ = now;
  if (number == 0) return;
  const int signal = static_cast<int>(number);
  if (finishes_ < 0 && all_spent < least_spent) return;
  if (finishes_ < 0 && rest <= patience) {
    finishes_ = all_spent + 2 * patience;  // it was a guess
    log::info(fmt::format("{}: this source is finished first, which takes about {}", name_of_signal(signal),
                          duration_text(rest)));
  }
  if (all_spent < finishes_) return;
  throw_stopped(signal,
                fmt::format("this source would have taken about {} more and is begun again; those that "
                            "are done are kept",
                            duration_text(rest)));
}

SetupStop::SetupStop()
    : setup_([this](const Communicator& ranks) {
        const int signal = stop_.anywhere(ranks);
        if (signal != 0) throw_stopped(signal, "of the setup of multigrid only what a file has is kept");
      }) {}

}  // namespace plaq

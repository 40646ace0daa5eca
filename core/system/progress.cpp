#include "core/system/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"

namespace plaq {
namespace {

constexpr double bar_interval = 0.1, line_interval = 30, least_interval = 1;  // seconds
constexpr double line_step = 0.1;                                             // of the whole
constexpr int bar_width = 30;                                                 // characters

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string behind(const std::string& note) { return note.empty() ? "" : ", " + note; }

}  // namespace

std::string duration_text(double seconds) {
  if (!(seconds >= 0)) seconds = 0;
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto s = std::llround(std::min(seconds, 1e15));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  const auto minutes = (s + 30) / 60;
  if (minutes < 24 * 60) return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  const auto hours = (s + 1800) / 3600;
  return fmt::format("{} d {:02} h", hours / 24, hours % 24);
}

Progress::Settings Progress::Settings::standard(int rank) {
  if (rank != 0 || runs_dry() || log::level() > log::Level::info) return {};
  return {&std::cerr, ::isatty(STDERR_FILENO) == 1, {}};
}

Progress::Progress(std::string title, double total, Settings settings)
    : title_(std::move(title)), total_(total), settings_(std::move(settings)) {
  require(total > 0, "progress of nothing");
  if (!settings_.seconds) settings_.seconds = steady_seconds;
  start_ = last_ = settings_.seconds();
}

Progress::~Progress() {
  if (drawn_) *settings_.stream << "\n" << std::flush;
}

std::string Progress::left(double now) const {
  if (done_ <= 0) return "";
  return fmt::format(", {} left", duration_text((now - start_) * (total_ - done_) / done_));
}

void Progress::draw_bar(double now, const std::string& note) {
  const double fraction = done_ / total_;
  const int full = static_cast<int>(fraction * bar_width);
  *settings_.stream << fmt::format("\r\033[K{} [{}{}] {:3.0f}%{}{}", title_, std::string(full, '#'),
                                   std::string(bar_width - full, '.'), std::floor(100 * fraction), left(now),
                                   behind(note))
                    << std::flush;
  drawn_ = true;
  last_ = now;
}

void Progress::print_line(double now, const std::string& note) {
  *settings_.stream << fmt::format("{}: {:.0f}%{}{}\n", title_, std::floor(100 * done_ / total_), left(now),
                                   behind(note))
                    << std::flush;
  printed_ = done_ / total_;
  last_ = now;
}

void Progress::advance_to(double done, const std::string& note) {
  done_ = std::clamp(done, done_, total_);
  if (!settings_.stream || finished_ || done_ == total_) return;  // finish() reports the end
  const double now = settings_.seconds(), fraction = done_ / total_;
  if (settings_.terminal) {
    if (!drawn_ || now - last_ >= bar_interval) draw_bar(now, note);
  } else {
    const bool step = std::floor(fraction / line_step) > std::floor(printed_ / line_step);
    if (now - last_ >= line_interval || (step && now - last_ >= least_interval)) print_line(now, note);
  }
}

void Progress::finish(const std::string& note) {
  if (finished_ || !settings_.stream) return;
  clear();
  done_ = total_;
  finished_ = true;
  *settings_.stream << fmt::format("{}: done in {}{}\n", title_, duration_text(settings_.seconds() - start_),
                                   behind(note))
                    << std::flush;
}

void Progress::clear() {
  if (drawn_) *settings_.stream << "\r\033[K" << std::flush;
  drawn_ = false;
}

}  // namespace plaq

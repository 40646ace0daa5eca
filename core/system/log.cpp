#include "core/system/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>

namespace plaq::log {
namespace {

struct State {
  std::shared_ptr<spdlog::logger> logger = spdlog::stderr_color_mt("plaq");
  int rank = 0, size = 1;
  Level level = Level::info;
  State() { logger->set_pattern("%^%L%$ %H:%M:%S %v"); }
};

State& state() {
  static State s;
  return s;
}

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warning:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
    case Level::silent:
      return spdlog::level::off;
  }
  return spdlog::level::info;
}

void send(Level level, std::string_view message) {
  if (state().rank == 0) state().logger->log(to_spdlog(level), "{}", printable(message));
}

void send_here(Level level, std::string_view message) {
  auto& s = state();
  if (s.size == 1) {
    s.logger->log(to_spdlog(level), "{}", printable(message));
  } else {
    s.logger->log(to_spdlog(level), "[rank {}] {}", s.rank, printable(message));
  }
}

}  // namespace

void set_rank(int rank, int size) {
  state().rank = rank;
  state().size = size;
}

void set_level(Level level) {
  state().level = level;
  state().logger->set_level(to_spdlog(level));
}

Level level() { return state().level; }

void debug(std::string_view message) { send(Level::debug, message); }
void info(std::string_view message) { send(Level::info, message); }
void warning(std::string_view message) { send(Level::warning, message); }
void error(std::string_view message) { send(Level::error, message); }
void info_here(std::string_view message) { send_here(Level::info, message); }
void warning_here(std::string_view message) { send_here(Level::warning, message); }
void error_here(std::string_view message) { send_here(Level::error, message); }

}  // namespace plaq::log

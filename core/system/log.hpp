// Messages to users, on standard error. Only the rank that set_rank named 0 prints, unless a message is
// sent with all_ranks. Callers format with fmt.
#pragma once

#include <string>
#include <string_view>

namespace plaq::log {

enum class Level { debug, info, warning, error, silent };

void set_rank(int rank, int size);  // before MPI starts: rank 0 of 1
void set_level(Level level);
Level level();

void debug(std::string_view message);
void info(std::string_view message);
void warning(std::string_view message);
void error(std::string_view message);
// Logs from every rank, prefixed by its number: for the rank that alone knows.
void info_here(std::string_view message);
void warning_here(std::string_view message);
void error_here(std::string_view message);

}  // namespace plaq::log

namespace plaq {

// While it lives, only errors are logged: a dry run does not warn as a run would.
class Quiet {
 public:
  Quiet() : before_(log::level()) { log::set_level(log::Level::error); }
  ~Quiet() { log::set_level(before_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  log::Level before_;
};

/// `text` with control characters but newline and tab, and bytes that are no UTF-8, written as \xHH, so that
/// nothing in it moves the cursor, changes colors or answers for the user.
std::string printable(std::string_view text);

}  // namespace plaq

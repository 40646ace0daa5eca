// Meanings of the program's exit codes: plaq explain.
#pragma once

#include <string>
#include <vector>

#include "core/system/error.hpp"

namespace plaq::jobs {

struct ExitCode {
  int code = 0;
  const char* name = "";     // as in ErrorKind
  const char* meaning = "";  // one sentence, like the others
  const char* causes = "";
  const char* remedy = "";   // what to do
  const char* outputs = "";  // what is left of output files
};

// Never forgets a kind: the switch inside has no default, and the compiler warns of a kind that is missing.
const ExitCode& exit_code_of(ErrorKind kind);

// 0, every kind of error and exit_incomplete, in order.
std::vector<ExitCode> exit_codes();

// The table of all, or one of them in full: `code` is a number, the name of a kind or of a signal ("137",
// "not_converged", "SIGTERM"); empty: the table. Throws a usage error for what is neither.
std::string explain_text(const std::string& code);

}  // namespace plaq::jobs

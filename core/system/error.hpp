// Errors: exceptions that carry their context in one message. The kind decides the exit code of the program.
#pragma once

#include <stdexcept>
#include <string>

namespace plaq {

/// Cause of an error. Its number is the exit code of the program.
enum class ErrorKind : int {
  internal = 1,       ///< a bug in plaq, or a failing machine
  usage = 2,          ///< wrong command line, or wrong argument of a function
  job_file = 3,       ///< wrong job file: unknown key, bad value, impossible lattice
  input_file = 4,     ///< a file that cannot be read or is not what it claims to be
  output_file = 5,    ///< a file that cannot be written
  not_converged = 6,  ///< a solve missed its tolerance
  comms = 7,          ///< MPI or a transport failed
  device = 8,         ///< CUDA failed, or the GPU that was asked for is not there
  stopped = 9,        ///< a signal asked for it; everything is saved, run again to go on
};

/// Exit code of a program that ends with this error.
inline int exit_code(ErrorKind kind) { return static_cast<int>(kind); }

/// Exception of plaq. what() is one message for the user.
class Error : public std::runtime_error {
 public:
  /// `message` names what failed, where, the value found and what would be right.
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }  ///< cause of the error

 private:
  ErrorKind kind_;
};

/// Throws an internal error when a condition that the code relies on does not hold. Always compiled in.
inline void require(bool condition, const char* what) {
  if (!condition) throw Error(ErrorKind::internal, std::string("internal error: ") + what);
}

/// A parameter with a value that is wrong, for those who name it in their own way: a key, an argument, a
/// member.
struct ParameterFault {
  std::string parameter;  ///< name of the parameter
  std::string what;       ///< fault, with the value and the limit
};

}  // namespace plaq

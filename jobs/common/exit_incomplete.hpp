// The exit code that is no error: all that could be done is done, and some of what was asked for is left out.
#pragma once

namespace plaq::jobs {

inline constexpr int exit_incomplete = 10;  // behind those of ErrorKind

}  // namespace plaq::jobs

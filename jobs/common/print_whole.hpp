// Printing that fails where its reader would miss something.
#pragma once

#include <functional>

namespace plaq::jobs {

// Runs `print`, which writes to standard output, and flushes. Throws Error(output_file) where not all of it could be
// written: a full disk, a closed pipe.
void print_whole(const std::function<void()>& print);

}  // namespace plaq::jobs

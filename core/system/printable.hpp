// Text of files, names and environments as a terminal may see it.
#pragma once

#include <string>
#include <string_view>

namespace plaq {

/// `text` with control characters but newline and tab, and bytes that are no UTF-8, written as \xHH, so that
/// nothing in it moves the cursor, changes colors or answers for the user.
std::string printable(std::string_view text);

}  // namespace plaq

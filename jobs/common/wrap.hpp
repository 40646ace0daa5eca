// Text for terminals.
#pragma once

#include <string>
#include <string_view>

namespace plaq::jobs {

// `text` in lines of at most `width` characters, broken at spaces, each behind `before`; a line break of the
// text stays one. Ends with a line break. A word that is too long gets a line of its own.
std::string wrapped(std::string_view text, std::string_view before = {}, std::size_t width = 80);

}  // namespace plaq::jobs

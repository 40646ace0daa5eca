// Text for terminals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plaq::jobs {

// `text` in lines of at most `width` characters, broken at spaces, each behind `before`; a line break of the
// text stays one. Ends with a line break. A word that is too long gets a line of its own.
std::string wrapped(std::string_view text, std::string_view before = {}, std::size_t width = 80);

// Plural of a word: "sources", "masses", "copies".
std::string plural_of(const std::string& word);
std::string counted(std::int64_t n, const std::string& what);  // "1 mass", "2 masses"

}  // namespace plaq::jobs

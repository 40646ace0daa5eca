// Checksums that a user names since a file is known to state a stale one. What is named is
// the sum of the numbers as they are:
// any other change of them is still noticed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/gauge/link_checksum.hpp"

namespace plaq {

// One sum or two, of up to eight hexadecimal digits each, with blanks, commas or colons between them, as
// LinkChecksum::text() has them. What is wrong with a text; nothing where it is good.
std::optional<std::string> fault_of_checksum(const std::string& text);

// True if one of the texts is that of `found`.
bool accepts(const std::vector<std::string>& accepted, const LinkChecksum& found);

// For the message about a file whose numbers have another checksum than it states: how they are taken all the
// same. Of gauge fields job files can say it, too.
std::string how_to_accept(const LinkChecksum& found, bool in_job_files);

}  // namespace plaq

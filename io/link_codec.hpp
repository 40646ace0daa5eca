// Between the bytes of link records and a gauge field in host memory, with all host threads.
#pragma once

#include <cstdint>
#include <span>

#include "core/field.hpp"
#include "io/link_format.hpp"
#include "io/link_survey.hpp"

namespace plaq {

// The rows of x of this rank from `first_row` on (lexicographic), `rows` of them. The third row of 3x2 links
// is the conjugate of the cross product of the others. Returns what was seen of the links as the file has
// them.
LinkSurvey decode_links(std::span<const std::byte> bytes, const LinkFormat& format, Field& gauge,
                        int first_row, int rows);
// The other way round; the survey is of the links as the field has them.
LinkSurvey encode_links(std::span<std::byte> bytes, const LinkFormat& format, const Field& gauge,
                        int first_row, int rows);

// The sum of the numbers' 32-bit words, modulo 2^32: a 64-bit number counts as its two halves.
std::uint32_t word_sum(std::span<const std::byte> bytes, ByteOrder order);

}  // namespace plaq

// Which configuration of its Markov chain a gauge field is, as headers say it: SEQUENCE_NUMBER of NERSC
// files, and of the texts of LIME files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/gauge/gauge_file_info.hpp"

namespace plaq {

// None where this is no integer and nothing else.
std::optional<std::int64_t> sequence_number_in(const std::string& text);
// None where the file does not say.
std::optional<std::int64_t> sequence_number_of(const GaugeFileInfo& info);

}  // namespace plaq

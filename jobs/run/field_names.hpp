// Names of files that belong to gauge fields: {field} is the name of the gauge field's file, {trajectory} and
// {replica} its numbers, * and ? any characters. Without any of these one file is that of all fields.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/common/number_pattern.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

// The text with another in place of each `word`.
std::string with_word(std::string_view text, std::string_view word, std::string_view by);

// Fault of such a name; none if it is valid. `words`: other words in braces that it may have.
std::optional<std::string> validate_field_name(const std::string& name,
                                               const std::vector<std::string>& words);

// The file that a name stands for. Throws Error(job_file) for a name with numbers that nothing says of the
// field, Error(input_file) unless it is one; in a dry run it may be to come. `key`: whose name it is,
// "'files' in [source]". Serial.
std::string file_of_field(const JobFile& job, const std::string& key, const std::string& name,
                          const std::string& gauge_file, const ChainNumbers& numbers);

// Files that belong to gauge fields, several for one: sources, propagators. By the gauge file: of each source
// its files.
using FieldFiles = std::map<std::string, std::vector<std::vector<std::string>>>;

// Collective. What `find` finds on rank 0, which may throw, on every rank.
FieldFiles found_on_first_rank(const std::function<FieldFiles()>& find);

std::vector<std::string> all_names(const FieldFiles& files);  // sorted, each once

}  // namespace plaq::jobs

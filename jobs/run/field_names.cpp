#include "jobs/run/field_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <stdexcept>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/world.hpp"
#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "io/bytes/byte_stream.hpp"
#include "jobs/run/ensemble.hpp"

namespace plaq::jobs {
namespace {

constexpr std::string_view field_word = "{field}";

bool asks_for_numbers(const std::string& name) {
  return name.find("{trajectory}") != std::string::npos || name.find("{replica}") != std::string::npos;
}

// Chooses, among the files that a name may mean, the one with the numbers of the gauge field.
void choose_by_numbers(std::vector<std::string>& files, const JobFile& job, const std::string& key,
                       const std::string& name, const std::string& gauge_file, const ChainNumbers& numbers) {
  const NumberPattern pattern(name);
  if (!numbers.trajectory || (pattern.has_replica() && !numbers.replica))
    throw Error(
        ErrorKind::job_file,
        fmt::format("{}: {}: {} is of a trajectory, but nothing says which one {} is; give 'numbering' in "
                    "[gauge], or a name with {{field}}",
                    job.file(), key, name, gauge_file));
  std::erase_if(files, [&](const std::string& file) {
    try {
      const auto found = pattern.numbers_in(file);
      return !found || found->trajectory != numbers.trajectory ||
             (pattern.has_replica() && found->replica != numbers.replica);
    } catch (const std::invalid_argument& error) {
      throw Error(ErrorKind::job_file, fmt::format("{}: {}: {}", job.file(), key, error.what()));
    }
  });
}

}  // namespace

std::string with_word(std::string_view text, std::string_view word, std::string_view by) {
  std::string made;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word)) {
    made.append(text.substr(0, at)).append(by);
    text.remove_prefix(at + word.size());
  }
  return made.append(text);
}

std::optional<std::string> validate_field_name(const std::string& name,
                                               const std::vector<std::string>& words) {
  if (name.empty()) return "has an empty name";
  std::string rest = with_word(name, field_word, ""), others;
  for (const std::string& word : words) {
    rest = with_word(rest, word, "");
    others += fmt::format("{}, ", word.substr(1, word.size() - 2));
  }
  try {
    if (asks_for_numbers(rest)) {
      NumberPattern pattern(rest);
    } else if (rest.find_first_of("{}") != std::string::npos) {
      throw std::invalid_argument(
          fmt::format("braces of another name than field, {}trajectory or replica", others));
    }
  } catch (const std::invalid_argument& error) {
    return fmt::format("{} has {}", name, error.what());
  }
  return std::nullopt;
}

std::string file_of_field(const JobFile& job, const std::string& key, const std::string& name,
                          const std::string& gauge_file, const ChainNumbers& numbers) {
  const std::string field = std::filesystem::path(gauge_file).filename().string(),
                    mine = with_word(name, field_word, field),
                    pattern = with_word(with_word(mine, "{trajectory}", "*"), "{replica}", "*");
  std::vector<std::string> files = files_matching(pattern);
  if (asks_for_numbers(mine)) choose_by_numbers(files, job, key, mine, gauge_file, numbers);
  if (files.empty() && runs_dry()) return mine;  // to come
  if (files.size() != 1)
    throw Error(ErrorKind::input_file, fmt::format("{}: {}: {} stands for {} files with {}, must be one",
                                                   job.file(), key, mine, files.size(), gauge_file));
  return files.front();
}

namespace {

std::string to_bytes(const FieldFiles& files) {
  ByteWriter out;
  for (const auto& [gauge_file, sources] : files) {
    out.text(gauge_file);
    out.number(static_cast<std::uint64_t>(sources.size()));
    for (const auto& names : sources) {
      out.number(static_cast<std::uint64_t>(names.size()));
      for (const std::string& name : names) out.text(name);
    }
  }
  return out.bytes();
}

FieldFiles from_bytes(const std::string& bytes) {
  FieldFiles files;
  ByteReader in(bytes);
  while (in.left() > 0) {
    auto& sources = files[std::string(in.text().value())];
    sources.resize(in.number<std::uint64_t>().value());
    for (auto& names : sources) {
      names.resize(in.number<std::uint64_t>().value());
      for (std::string& name : names) name = in.text().value();
    }
  }
  return files;
}

}  // namespace

FieldFiles found_on_first_rank(const std::function<FieldFiles()>& find) {
  std::string bytes;
  on_first_rank([&] { bytes = to_bytes(find()); });
  return from_bytes(broadcast(world(), std::move(bytes)));
}

std::vector<std::string> all_names(const FieldFiles& files) {
  std::vector<std::string> all;
  for (const auto& [gauge_file, sources] : files)
    for (const auto& names : sources) all.insert(all.end(), names.begin(), names.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace plaq::jobs

#include "jobs/contract/contract_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "jobs/correlators/correlators.hpp"
#include "jobs/run/field_names.hpp"

namespace plaq::jobs {

std::optional<std::string> validate_quark_name(const std::string& name) {
  const bool good = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '+' || c == '-';
  });
  if (good) return std::nullopt;
  return fmt::format("{} is no name of a quark, which has letters, digits, dots, + and -", name);
}

std::optional<std::string> validate_quark_file_name(const std::string& name) {
  return validate_field_name(name, {source_word});
}

std::optional<std::vector<std::size_t>> quarks_in(const std::string& content, std::size_t count,
                                                  const std::vector<std::string>& names) {
  std::vector<std::size_t> quarks;
  for (std::size_t at = 0; at <= content.size();) {
    const std::size_t end = std::min(content.find('_', at), content.size());
    const auto found = std::find(names.begin(), names.end(), content.substr(at, end - at));
    if (found == names.end()) return std::nullopt;
    quarks.push_back(static_cast<std::size_t>(found - names.begin()));
    at = end + 1;
  }
  if (quarks.size() != count) return std::nullopt;
  return quarks;
}

Contents contents_of(const Settings& job) {
  const auto names = job.get<QuarkKeys>().names;
  const auto keys = job.get<ContentKeys>();
  const auto channels = channels_named(job.get<CorrelatorKeys>().channels, channels_of_flavours());
  const auto any = [&](bool mesons) {
    return std::any_of(channels.begin(), channels.end(),
                       [&](const Channel& channel) { return channel.is_meson() == mesons; });
  };
  Contents contents;
  if (any(true)) {
    for (const auto& text : keys.mesons)
      if (const auto quarks = quarks_in(text, 2, names)) contents.mesons.push_back(*quarks);
    for (std::size_t i = 0; keys.mesons.empty() && i < names.size(); ++i)
      for (std::size_t j = i; j < names.size(); ++j) contents.mesons.push_back({i, j});
  }
  if (any(false)) {
    for (const auto& text : keys.baryons)
      if (const auto quarks = quarks_in(text, 3, names)) contents.baryons.push_back(*quarks);
    if (keys.baryons.empty() && names.size() == 1) contents.baryons.push_back({0, 0, 0});
  }
  return contents;
}

}  // namespace plaq::jobs

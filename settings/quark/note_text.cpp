#include "settings/quark/note_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "core/system/error.hpp"
#include "settings/toml/toml.hpp"

namespace plaq::settings {
namespace {

constexpr const char* table = "stored_propagator";
constexpr std::string_view head = "[stored_propagator]";

// Integers of a member's own range alone, and numbers that are finite.
std::optional<std::int64_t> whole_in(const RawValue& raw) {
  const auto* whole = std::get_if<std::int64_t>(&raw.value);
  return whole == nullptr ? std::nullopt : std::optional(*whole);
}

std::optional<int> small_in(const RawValue& raw) {
  const auto whole = whole_in(raw);
  if (!whole || *whole < std::numeric_limits<int>::min() || *whole > std::numeric_limits<int>::max())
    return std::nullopt;
  return static_cast<int>(*whole);
}

std::optional<int> sign_in(const RawValue& raw) {
  const auto sign = small_in(raw);
  return sign == 1 || sign == -1 ? sign : std::nullopt;
}

// 0: Dirichlet
std::optional<int> time_sign_in(const RawValue& raw) {
  const auto sign = small_in(raw);
  return sign == 0 ? sign : sign_in(raw);
}

std::optional<double> real_in(const RawValue& raw) {
  if (const auto whole = whole_in(raw)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&raw.value);
  return real == nullptr || !std::isfinite(*real) ? std::nullopt : std::optional(*real);
}

std::optional<SpaceSigns> signs_in(const RawValue& raw) {
  const auto* list = std::get_if<std::vector<RawValue>>(&raw.value);
  if (list == nullptr || list->size() != 3) return std::nullopt;
  SpaceSigns signs{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto sign = sign_in((*list)[i]);
    if (!sign) return std::nullopt;
    signs[i] = *sign;
  }
  return signs;
}

std::string text_in(const RawValue& raw) {
  const auto* text = std::get_if<std::string>(&raw.value);
  return text == nullptr ? "" : *text;
}

std::optional<Extents> site_in(const RawValue& raw) {
  const auto* list = std::get_if<std::vector<RawValue>>(&raw.value);
  if (list == nullptr || list->size() != 4) return std::nullopt;
  Extents site{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto number = small_in((*list)[mu]);
    if (!number) return std::nullopt;
    site[mu] = *number;
  }
  return site;
}

// The table begins at the last line that is its head; npos: there is none.
std::size_t head_in(std::string_view text) {
  for (std::size_t at = text.rfind(head); at != std::string_view::npos && at > 0;
       at = text.rfind(head, at - 1))
    if (text[at - 1] == '\n') return at;
  return text.starts_with(head) ? 0 : std::string_view::npos;
}

}  // namespace

std::vector<std::pair<std::string, Value>> members_of(const PropagatorNote& note) {
  std::vector<std::pair<std::string, Value>> all;
  const auto text = [&](const char* key, const std::string& value) {
    if (!value.empty()) all.emplace_back(key, value);
  };
  text("gauge_file", note.gauge_file);
  text("gauge_format", note.gauge_format);
  text("gauge_checksum", note.gauge_checksum);
  if (note.source) all.emplace_back("source", std::int64_t{*note.source});
  text("source_type", note.source_type);
  if (note.position)
    all.emplace_back("position", std::vector<std::int64_t>(note.position->begin(), note.position->end()));
  text("derivative", note.derivative);
  text("action", note.action);
  if (note.mass) all.emplace_back("mass", *note.mass);
  if (note.twisted_mass) all.emplace_back("twisted_mass", *note.twisted_mass);
  if (note.boundary) all.emplace_back("boundary", std::int64_t{*note.boundary});
  if (note.space_boundary)
    all.emplace_back("space_boundary",
                     std::vector<std::int64_t>(note.space_boundary->begin(), note.space_boundary->end()));
  if (note.seed) all.emplace_back("seed", *note.seed);
  text("dilution", note.dilution);
  return all;
}

std::string note_text(const PropagatorNote& note) {
  std::string text = fmt::format("\n{}\n", head);
  for (const auto& [key, value] : members_of(note)) text += fmt::format("{} = {}\n", key, value_text(value));
  return text;
}

bool has_note(std::string_view text) { return head_in(text) != std::string_view::npos; }

PropagatorNote note_in(const std::string& text) {
  PropagatorNote note;
  // The text around the table may be that of another program, and no TOML.
  const std::size_t begin = head_in(text);
  if (begin == std::string::npos) return note;
  const std::size_t end = text.find("\n[", begin);
  std::vector<RawEntry> entries;
  try {
    entries = read_toml(std::string_view(text).substr(begin, end - begin), "");
  } catch (const Error&) {
    return note;
  }
  const std::map<std::string, std::function<void(const RawValue&)>> members = {
      {"gauge_file", [&](const RawValue& raw) { note.gauge_file = text_in(raw); }},
      {"gauge_format", [&](const RawValue& raw) { note.gauge_format = text_in(raw); }},
      {"gauge_checksum", [&](const RawValue& raw) { note.gauge_checksum = text_in(raw); }},
      {"source", [&](const RawValue& raw) { note.source = small_in(raw); }},
      {"source_type", [&](const RawValue& raw) { note.source_type = text_in(raw); }},
      {"seed", [&](const RawValue& raw) { note.seed = whole_in(raw); }},
      {"dilution", [&](const RawValue& raw) { note.dilution = text_in(raw); }},
      {"position", [&](const RawValue& raw) { note.position = site_in(raw); }},
      {"derivative", [&](const RawValue& raw) { note.derivative = text_in(raw); }},
      {"action", [&](const RawValue& raw) { note.action = text_in(raw); }},
      {"mass", [&](const RawValue& raw) { note.mass = real_in(raw); }},
      {"twisted_mass", [&](const RawValue& raw) { note.twisted_mass = real_in(raw); }},
      {"boundary", [&](const RawValue& raw) { note.boundary = time_sign_in(raw); }},
      {"space_boundary", [&](const RawValue& raw) { note.space_boundary = signs_in(raw); }}};
  for (const RawEntry& entry : entries)
    if (const auto member = members.find(entry.name.key);
        entry.name.table == table && member != members.end())
      member->second(entry.value);
  return note;
}

}  // namespace plaq::settings

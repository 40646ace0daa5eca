#include "jobs/correlators/propagator_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "core/system/error.hpp"
#include "jobs/schema/toml_reader.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* table = "stored_propagator";

template <class T>
std::optional<T> number_in(const RawValue& raw) {
  if (const auto* whole = std::get_if<std::int64_t>(&raw.value)) return static_cast<T>(*whole);
  if (const auto* real = std::get_if<double>(&raw.value)) return static_cast<T>(*real);
  return std::nullopt;
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
    const auto number = number_in<int>((*list)[mu]);
    if (!number) return std::nullopt;
    site[mu] = *number;
  }
  return site;
}

}  // namespace

std::string text_of(const PropagatorNote& note) {
  const Extents& at = note.position.value();
  const std::vector<std::int64_t> position(at.begin(), at.end());
  const std::pair<const char*, Value> all[] = {{"gauge_file", note.gauge_file},
                                               {"gauge_format", note.gauge_format},
                                               {"gauge_checksum", note.gauge_checksum},
                                               {"source", std::int64_t{note.source.value()}},
                                               {"source_type", note.source_type},
                                               {"position", position},
                                               {"action", note.action},
                                               {"mass", note.mass.value()},
                                               {"boundary", std::int64_t{note.boundary.value()}}};
  std::string text = fmt::format("\n[{}]\n", table);
  for (const auto& [key, value] : all) text += fmt::format("{} = {}\n", key, toml_text(value));
  if (note.seed) text += fmt::format("seed = {}\n", *note.seed);
  return text;
}

PropagatorNote note_in(const std::string& text) {
  PropagatorNote note;
  // The texts of other programs are no TOML.
  if (text.find(fmt::format("[{}]", table)) == std::string::npos) return note;
  std::vector<RawEntry> entries;
  try {
    entries = read_toml(text, "");
  } catch (const Error&) {
    return note;
  }
  const std::map<std::string, std::function<void(const RawValue&)>> members = {
      {"gauge_file", [&](const RawValue& raw) { note.gauge_file = text_in(raw); }},
      {"gauge_format", [&](const RawValue& raw) { note.gauge_format = text_in(raw); }},
      {"gauge_checksum", [&](const RawValue& raw) { note.gauge_checksum = text_in(raw); }},
      {"source", [&](const RawValue& raw) { note.source = number_in<int>(raw); }},
      {"source_type", [&](const RawValue& raw) { note.source_type = text_in(raw); }},
      {"seed", [&](const RawValue& raw) { note.seed = number_in<std::int64_t>(raw); }},
      {"position", [&](const RawValue& raw) { note.position = site_in(raw); }},
      {"action", [&](const RawValue& raw) { note.action = text_in(raw); }},
      {"mass", [&](const RawValue& raw) { note.mass = number_in<double>(raw); }},
      {"boundary", [&](const RawValue& raw) { note.boundary = number_in<int>(raw); }}};
  for (const RawEntry& entry : entries)
    if (const auto member = members.find(entry.name.key);
        entry.name.table == table && member != members.end())
      member->second(entry.value);
  return note;
}

}  // namespace plaq::jobs

// A job file against the schema: collects every mistake before it complains.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/wording.hpp"
#include "io/bytes/byte_source.hpp"
#include "jobs/common/nearest.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/schema/toml_reader.hpp"

namespace plaq::jobs {
namespace {

std::string without_stop(std::string sentence) {
  if (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
  return sentence;
}

template <class Range>
std::vector<std::string> names_of(const Range& range) {
  std::vector<std::string> names;
  for (const auto& element : range)
    if (!element.name.empty()) names.push_back(element.name);
  return names;
}

}  // namespace

class JobChecker {
 public:
  JobChecker(std::string file, std::vector<RawEntry> entries) : entries_(std::move(entries)) {
    job_.file_ = std::move(file);
  }

  JobFile check() { return check(choose_schema()); }

  JobFile check(const Schema& schema) {
    job_.schema_ = &schema;
    for (const RawEntry& entry : entries_) take(entry);
    for (const Table& table : job_.schema_->tables)
      for (const Key& key : table.keys) complete(table, key);
    for (const Rule& rule : job_.schema_->rules) apply(rule);
    if (!mistakes_.empty()) complain();
    return std::move(job_);
  }

 private:
  struct Mistake {
    int order;  // line; overrides and missing keys after the lines of the file
    std::string place, text;
    std::string whole() const { return fmt::format("{}: {}", place, text); }
  };

  const Schema& choose_schema() const {
    const auto at = std::find_if(entries_.begin(), entries_.end(), [](const auto& e) {
      return e.name == KeyName{"", "job"};
    });
    const auto types = job_type_names();
    if (at == entries_.end())
      throw Error(ErrorKind::job_file, fmt::format("{}: missing key 'job', the job type; write job = \"{}\"",
                                                   job_.file_, fmt::join(types, "\" or \"")));
    const auto name = convert(Type::string, *at);
    const JobType* type = name ? find_job_type(std::get<std::string>(*name)) : nullptr;
    if (type) return type->schema();
    const std::string found = name ? fmt::format("\"{}\"; {}", std::get<std::string>(*name),
                                                 nearest_hint(std::get<std::string>(*name), types))
                                   : at->value.kind;
    throw Error(ErrorKind::job_file, fmt::format("{}: job must be \"{}\", found {}", at->place,
                                                 fmt::join(types, "\" or \""), found));
  }

  void blame(const RawEntry& entry, const std::string& text) {
    const std::string& place = wording().has_lines() ? entry.place : job_.file_;
    mistakes_.push_back({entry.line > 0 ? entry.line : after_file, place, text});
    bad_.push_back(entry.name);
  }

  void take(const RawEntry& entry) {
    const auto& [table_name, key_name] = entry.name;
    const Table* table = job_.schema_->find(table_name);
    if (!table) return unknown_table(entry);
    const Key* key = table->find(key_name);
    if (key_name.empty()) return;  // the head of a known table
    if (!key) return unknown_key(entry, *table);
    const auto value = convert(key->type, entry);
    if (!value)
      return blame(
          entry,
          fmt::format("{}: found {}, expected {}; for example {} = {}", wording().label(table_name, key_name),
                      wording().value(found_text(key->type, entry)), wording().value(key->type_text()),
                      key_name, wording().value(key->example_text())));
    if (const auto fault = find_fault(*key, *value))
      return blame(entry, fmt::format("{}: {}", wording().label(table_name, key_name), *fault));
    job_.values_[{table_name, key_name}] = *value;
  }

  void unknown_table(const RawEntry& entry) {
    const auto same = [&](const KeyName& name) { return name.table == entry.name.table; };
    if (std::any_of(bad_.begin(), bad_.end(), same)) return;  // once a table
    blame(entry, fmt::format("unknown table [{}] in a {} job; {}", entry.name.table, job_.type(),
                             nearest_hint(entry.name.table, names_of(job_.schema_->tables))));
  }

  void unknown_key(const RawEntry& entry, const Table& table) {
    const std::string& key = entry.name.key;
    for (const Table& other : job_.schema_->tables)
      if (wording().has_lines() && other.find(key))
        return blame(entry, fmt::format("unknown {}; it belongs{}", wording().key(table.name, key),
                                        wording().place(other.name)));
    if (table.name.empty() && job_.schema_->find(key))
      return blame(entry, fmt::format("'{}' is a table; write [{}]", key, key));
    auto names = names_of(table.keys);
    if (table.name.empty()) {
      const auto tables = names_of(job_.schema_->tables);
      names.insert(names.end(), tables.begin(), tables.end());
    }
    blame(entry, fmt::format("unknown {}; {}", wording().key(table.name, key), nearest_hint(key, names)));
  }

  void complete(const Table& table, const Key& key) {
    const KeyName name{table.name, key.name};
    if (is_bad(name) || job_.values_.contains({table.name, key.name})) return;
    if (key.fallback) {
      job_.values_[{table.name, key.name}] = *key.fallback;
    } else if (key.required) {
      missing(name, fmt::format("missing {} ({}); for example {} = {}", wording().key(table.name, key.name),
                                without_stop(key.meaning), key.name, wording().value(key.example_text())));
    }
  }

  void missing(const KeyName& name, const std::string& text) {
    mistakes_.push_back({after_file + 1, job_.file_, text});
    bad_.push_back(name);
  }

  void apply(const Rule& rule) {
    if (std::any_of(rule.keys.begin(), rule.keys.end(), [&](const auto& key) { return is_bad(key); })) return;
    Problems problems;
    rule.check(problems, job_);
    for (const Problem& problem : problems.found) {
      const auto at = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const auto& entry) { return entry.name == problem.where; });
      at == entries_.end() ? missing(problem.where, problem.message) : blame(*at, problem.message);
    }
  }

  bool is_bad(const KeyName& name) const { return std::find(bad_.begin(), bad_.end(), name) != bad_.end(); }

  [[noreturn]] void complain() {
    std::stable_sort(mistakes_.begin(), mistakes_.end(),
                     [](const auto& a, const auto& b) { return a.order < b.order; });
    if (mistakes_.size() == 1) throw Error(ErrorKind::job_file, mistakes_.front().whole());
    std::string text = fmt::format("{}: {} mistakes", job_.file_, mistakes_.size());
    for (const Mistake& mistake : mistakes_)
      text += "\n  " + (wording().has_lines() ? mistake.whole() : mistake.text);
    throw Error(ErrorKind::job_file, text);
  }

  static constexpr int after_file = 1 << 30;
  JobFile job_;
  std::vector<RawEntry> entries_;
  std::vector<Mistake> mistakes_;
  std::vector<KeyName> bad_;  // keys with a mistake of their own
};

JobFile JobFile::parse_as(const Schema& schema, std::string_view text, const std::string& file) {
  return JobChecker(file, read_toml(text, file)).check(schema);
}

JobFile JobFile::parse(std::string_view text, const std::string& file, const Overrides& overrides) {
  auto entries = read_toml(text, file);
  for (const std::string& override_text : overrides) {
    RawEntry entry = read_override(override_text);
    std::erase_if(entries, [&](const RawEntry& old) { return old.name == entry.name; });
    if (!entry.text.empty()) entries.push_back(std::move(entry));
  }
  return JobChecker(file, std::move(entries)).check();
}

std::string JobFile::read_text(const std::string& path) { return text_of_file(path, 1 << 20); }

JobFile JobFile::read(const std::string& path, const Overrides& overrides) {
  return parse(read_text(path), path, overrides);
}

}  // namespace plaq::jobs

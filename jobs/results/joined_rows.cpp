#include "jobs/results/joined_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "jobs/results/result_file.hpp"
#include "jobs/results/same_fields.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* row_axis = "configuration";
constexpr std::size_t number_digits = 6;  // of /gauge/000000

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorKind::input_file, what); }

// "/gauge" of "/gauge/000012".
std::optional<std::string> numbered_parent(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == 0 || slash == std::string::npos || path.size() - slash - 1 != number_digits)
    return std::nullopt;
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (!std::all_of(path.begin() + static_cast<std::ptrdiff_t>(slash) + 1, path.end(), is_digit))
    return std::nullopt;
  return path.substr(0, slash);
}

bool has_rows(const StoredObject& object) {
  if (const auto* one = find_attribute<std::string>(object.attributes, "axes")) return *one == row_axis;
  const auto* many = find_attribute<std::vector<std::string>>(object.attributes, "axes");
  return many != nullptr && !many->empty() && many->front() == row_axis;
}

// A number that a file may lack, -1 then: /configurations/trajectory and the like.
bool is_optional_column(const std::string& path) { return path.starts_with("/configurations/"); }

using Objects = std::map<std::string, StoredObject>;

struct Part {
  std::string file;
  Objects objects;  // without the column of rungs
  std::size_t rows = 0;
  std::vector<std::int64_t> rungs;  // of its rows
  std::int64_t rung() const { return *std::min_element(rungs.begin(), rungs.end()); }
};

// `rung`: where the file does not say it.
Part read_part(const std::string& file, std::int64_t rung) {
  Part part{file, {}, 0, {}};
  for (StoredObject& object : read_result_file(file, StoredValues::read).objects) {
    if (object.path.starts_with("/gauge/") && numbered_parent(object.path)) ++part.rows;
    if (object.dataset && !object.values)
      fail(fmt::format("{}: {} is of a type that results do not have", file, object.path));
    part.objects.emplace(object.path, std::move(object));
  }
  if (part.rows == 0)
    fail(fmt::format("{}: it has no gauge fields: only results of gauge fields can be joined", file));
  for (const auto& [path, object] : part.objects)
    if (object.dataset && has_rows(object) && (object.extents.empty() || object.extents.front() != part.rows))
      fail(fmt::format("{}: {} does not have {} rows, one of each gauge field", file, path, part.rows));
  part.rungs.assign(part.rows, rung);
  if (const auto at = part.objects.find(rung_column); at != part.objects.end()) {
    const StoredObject& column = at->second;
    const auto* rungs = column.values ? std::get_if<std::vector<std::int64_t>>(&*column.values) : nullptr;
    if (rungs == nullptr || rungs->size() != part.rows)
      fail(fmt::format("{}: {} is not one whole number of each gauge field", file, rung_column));
    part.rungs = *rungs;
    part.objects.erase(at);
  }
  return part;
}

std::string job_text(const Part& part) {
  const auto* found = find_attribute<std::string>(part.objects.at("/").attributes, "job");
  if (found == nullptr) fail(fmt::format("{}: its root has no attribute job", part.file));
  return *found;
}

class Joining {
 public:
  Joining(const std::vector<std::string>& files, const JoinOptions& options) : options_(options) {
    if (files.empty()) fail("no results to join");
    for (std::size_t i = 0; i < files.size(); ++i)
      parts_.push_back(read_part(files[i], options.rungs.empty() ? 0 : options.rungs.at(i)));
    for (const Part& part : parts_) first_of_rung_.emplace(part.rung(), &part);
    reference_ = first_of_rung_.begin()->second;
  }

  Hdf5Objects run() {
    expect_one_job();
    expect_each_field_once();
    for (const auto& [path, object] : reference_->objects) {
      if (numbered_parent(path)) continue;
      object.dataset ? join_dataset(path, object) : join_group(path, object);
    }
    for (const Part& part : parts_)
      for (const auto& [path, object] : part.objects) {
        if (numbered_parent(path) || joined_.contains(path)) continue;
        if (!object.dataset) {
          joined_[path];
        } else if (is_optional_column(path)) {
          join_dataset(path, object);
        } else {
          fail(fmt::format("{} has {}, and {} has not", part.file, path, reference_->file));
        }
      }
    add_numbered_groups();
    add_rungs();
    joined_["/"].attributes["job"] = joined_text();
    return std::move(joined_);
  }

 private:
  bool solvers_may_differ() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) {
      return std::any_of(part.rungs.begin(), part.rungs.end(), [](std::int64_t rung) { return rung > 0; });
    });
  }

  void expect_one_job() const {
    for (const Part& part : parts_) expect_job_of(*first_of_rung_.at(part.rung()), part, false);
    for (const auto& [rung, part] : first_of_rung_) expect_job_of(*reference_, *part, true);
  }

  static void expect_job_of(const Part& one, const Part& other, bool solvers_may_differ) {
    for (const auto& [key, theirs, ours] : compare_jobs(job_text(one), job_text(other))) {
      if (key == KeyName{"gauge", "files"}) continue;
      if (solvers_may_differ && (key.table == "solver" || key.table == "multigrid")) continue;
      fail(fmt::format("{} and {} are of different jobs: '{}' in [{}] is {} there and {} here", one.file,
                       other.file, key.key, key.table, theirs.empty() ? "absent" : theirs,
                       ours.empty() ? "absent" : ours));
    }
  }

  void expect_each_field_once() const {
    std::map<std::pair<std::string, Attribute>, const Part*> seen;
    std::vector<FieldSums> sums;
    std::vector<const Part*> part_of;
    for (const Part& part : parts_)
      for (const auto& [path, object] : part.objects) {
        if (!path.starts_with("/gauge/") || !numbered_parent(path)) continue;
        const auto* file = find_attribute<std::string>(object.attributes, "file");
        const Attribute* checksum = find_attribute(object.attributes, "checksum");
        if (file == nullptr || checksum == nullptr)
          fail(fmt::format("{}: {} does not say which gauge field it is of", part.file, path));
        const auto [at, is_new] = seen.emplace(std::pair(*file, *checksum), &part);
        if (!is_new)
          fail(fmt::format("{} and {} both have the gauge field {}", at->second->file, part.file, *file));
        sums.push_back(field_sums(object.attributes));
        part_of.push_back(&part);
      }
    for (const SameFields& pair : find_same_fields(sums, sites())) {
      const auto name = [&](std::size_t i) {
        return fmt::format("{} in {}", sums[i].file, part_of[i]->file);
      };
      const std::string text = same_fields_text(name(pair.second), name(pair.first), pair.likeness);
      if (pair.likeness == Likeness::same && part_of[pair.first] != part_of[pair.second])
        fail(fmt::format("{}; {}", text, options_.advice));
      log::warning(text);
    }
  }

  // Sites of the lattice; 1 if results do not say it.
  double sites() const {
    const auto* found =
        find_attribute<std::vector<std::int64_t>>(reference_->objects.at("/").attributes, "extents");
    double sites = 1;
    if (found != nullptr)
      for (const std::int64_t extent : *found) sites *= static_cast<double>(extent);
    return sites;
  }

  void join_group(const std::string& path, const StoredObject& group) {
    for (const Part& part : parts_) {
      const auto at = part.objects.find(path);
      if (at == part.objects.end()) {
        if (path == "/configurations") continue;
        fail(fmt::format("{} has {}, and {} has not", reference_->file, path, part.file));
      }
      if (solvers_may_differ() && path != "/") continue;
      for (const auto& [name, value] : group.attributes) {
        const Attribute* theirs = find_attribute(at->second.attributes, name);
        if ((path == "/" && name == "job") || (theirs != nullptr && *theirs == value)) continue;
        fail(fmt::format("attribute {} of {} differs between {} and {}", name, path, reference_->file,
                         part.file));
      }
    }
    joined_[path].attributes = {group.attributes.begin(), group.attributes.end()};
  }

  void join_dataset(const std::string& path, const StoredObject& like) {
    if (!has_rows(like)) return expect_same(path, like);
    Dataset all{
        path,
        like.extents,
        std::visit([](const auto& v) { return Dataset::Values(std::decay_t<decltype(v)>{}); }, *like.values),
        {}};
    all.extents.front() = 0;
    for (const Part& part : parts_) {
      const auto at = part.objects.find(path);
      if (at == part.objects.end() && is_optional_column(path)) {
        auto& values = std::get<std::vector<std::int64_t>>(all.values);
        values.insert(values.end(), part.rows, -1);
      } else {
        if (at == part.objects.end())
          fail(fmt::format("{} has {}, and {} has not", reference_->file, path, part.file));
        append(all, like, at->second, part);
      }
      all.extents.front() += part.rows;
    }
    joined_[path] = {{like.attributes.begin(), like.attributes.end()}, std::move(all)};
  }

  void append(Dataset& all, const StoredObject& like, const StoredObject& more, const Part& part) const {
    const bool alike = more.values && more.values->index() == all.values.index() &&
                       more.attributes == like.attributes && more.extents.size() == like.extents.size() &&
                       std::equal(more.extents.begin() + 1, more.extents.end(), like.extents.begin() + 1);
    if (!alike) fail(fmt::format("{} is not alike in {} and {}", like.path, reference_->file, part.file));
    std::visit(
        [&](auto& values) {
          const auto& theirs = std::get<std::decay_t<decltype(values)>>(*more.values);
          values.insert(values.end(), theirs.begin(), theirs.end());
        },
        all.values);
  }

  void expect_same(const std::string& path, const StoredObject& like) {
    for (const Part& part : parts_) {
      const auto at = part.objects.find(path);
      if (at == part.objects.end() || !at->second.values || !same_bits(*at->second.values, *like.values) ||
          at->second.extents != like.extents)
        fail(fmt::format("{} differs between {} and {}", path, reference_->file, part.file));
    }
    joined_[path] = {{like.attributes.begin(), like.attributes.end()},
                     Dataset{path, like.extents, *like.values, {}}};
  }

  void add_numbered_groups() {
    std::size_t first = 0;
    for (const Part& part : parts_) {
      for (const auto& [path, object] : part.objects) {
        const auto parent = numbered_parent(path);
        if (!parent) continue;
        const std::size_t row = first + std::stoul(path.substr(parent->size() + 1));
        joined_[fmt::format("{}/{:06}", *parent, row)].attributes = {object.attributes.begin(),
                                                                     object.attributes.end()};
      }
      first += part.rows;
    }
  }

  void add_rungs() {
    Dataset column{rung_column, {0}, std::vector<std::int64_t>{}, {}};
    auto& values = std::get<std::vector<std::int64_t>>(column.values);
    for (const Part& part : parts_) values.insert(values.end(), part.rungs.begin(), part.rungs.end());
    if (!solvers_may_differ() && !options_.always_with_rungs) return;
    column.extents.front() = values.size();
    joined_[rung_column] = {{{"axes", row_axis}, {"units", "1"}}, std::move(column)};
  }

  // Job text of the reference with the gauge fields of all.
  std::string joined_text() const {
    const auto list_of = [](const std::string& text, std::size_t& begin) {
      const std::string key = "\nfiles = [";
      const auto table = text.find("\n[gauge]\n");
      begin = table == std::string::npos ? table : text.find(key, table);
      if (begin == std::string::npos) return std::string();
      begin += key.size();
      const auto end = text.find("]\n", begin);
      return text.substr(begin, end - begin);
    };
    std::string files;
    for (const Part& part : parts_) {
      std::size_t unused = 0;
      files += (files.empty() ? "" : ", ") + list_of(job_text(part), unused);
    }
    std::string text = job_text(*reference_);
    std::size_t begin = 0;
    const std::string old = list_of(text, begin);
    if (begin != std::string::npos) text.replace(begin, old.size(), files);
    return text;
  }

  const JoinOptions& options_;
  std::vector<Part> parts_;
  std::map<std::int64_t, const Part*> first_of_rung_;
  const Part* reference_ = nullptr;
  Hdf5Objects joined_;
};

}  // namespace

Hdf5Objects joined_rows(const std::vector<std::string>& files, const JoinOptions& options) {
  return Joining(files, options).run();
}

}  // namespace plaq::jobs

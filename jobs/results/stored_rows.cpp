#include "jobs/results/stored_rows.hpp"

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <utility>

#include "core/system/error.hpp"

namespace plaq::jobs {

StoredRows::StoredRows(std::string path) : path_(std::move(path)) {
  for (StoredObject& object : read_result_file(path_, StoredValues::read).objects)
    objects_.emplace(object.path, std::move(object));
}

void StoredRows::fail(const std::string& what) const {
  throw Error(
      ErrorKind::output_file,
      fmt::format("{} cannot grow: {}; set overwrite = true in [output] to compute all of it again, or "
                  "choose another name",
                  path_, what));
}

const StoredObject& StoredRows::object(const std::string& path) const {
  const auto at = objects_.find(path);
  if (at == objects_.end()) fail(fmt::format("{} is not in it", path));
  return at->second;
}

Group StoredRows::group_of(const Group& like, std::size_t row) const {
  Group group = like;
  const StoredObject& stored = object(like.numbered ? fmt::format("{}/{:06}", like.path, row) : like.path);
  for (auto& [name, value] : group.attributes) {
    const Attribute* found = find_attribute(stored.attributes, name);
    if (found == nullptr || found->index() != value.index() || (!like.numbered && *found != value))
      fail(fmt::format("{} of {} is another one", name, stored.path));
    value = *found;
  }
  return group;
}

Dataset StoredRows::dataset_of(const Dataset& like, std::size_t row) const {
  const StoredObject& stored = object(like.path);
  std::vector<std::size_t> extents = stored.extents;
  const bool has_row = !extents.empty() && row < extents.front();
  if (has_row) extents.erase(extents.begin());
  if (!has_row || extents != like.extents || !stored.values || stored.values->index() != like.values.index())
    fail(fmt::format("{} has another shape", like.path));
  const std::size_t count =
      std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
  Dataset dataset = like;
  std::visit(
      [&](auto& values) {
        const auto& all = std::get<std::decay_t<decltype(values)>>(*stored.values);
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(row * count);
        values.assign(first, first + static_cast<std::ptrdiff_t>(count));
      },
      dataset.values);
  return dataset;
}

Results StoredRows::row(std::size_t row, const Results& like) const {
  Results results;
  for (const Group& group : like.groups) results.groups.push_back(group_of(group, row));
  for (const Dataset& dataset : like.datasets) results.datasets.push_back(dataset_of(dataset, row));
  return results;
}

}  // namespace plaq::jobs

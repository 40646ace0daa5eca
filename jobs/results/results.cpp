#include "jobs/results/results.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

void expect_alike(bool alike, const std::string& what) {
  if (!alike)
    throw Error(
        ErrorKind::internal,
        fmt::format("internal error: results of several fields differ in {} and cannot be stacked", what));
}

void prepend_axis(Attributes& attributes, const std::string& axis) {
  for (auto& [name, value] : attributes) {
    if (name != "axes") continue;
    std::vector<std::string> axes{axis};
    if (const auto* one = std::get_if<std::string>(&value)) axes.push_back(*one);
    if (const auto* many = std::get_if<std::vector<std::string>>(&value))
      axes.insert(axes.end(), many->begin(), many->end());
    value = axes;
    return;
  }
  attributes.emplace(attributes.begin(), "axes", axis);
}

Dataset stack_dataset(const std::vector<Results>& list, std::size_t number, const std::string& axis) {
  Dataset all = list.front().datasets[number];
  for (std::size_t i = 1; i < list.size(); ++i) {
    const Dataset& one = list[i].datasets[number];
    expect_alike(one.path == all.path && one.extents == all.extents && one.attributes == all.attributes &&
                     one.values.index() == all.values.index(),
                 all.path);
    std::visit(
        [&](auto& values) {
          const auto& more = std::get<std::decay_t<decltype(values)>>(one.values);
          values.insert(values.end(), more.begin(), more.end());
        },
        all.values);
  }
  all.extents.insert(all.extents.begin(), list.size());
  prepend_axis(all.attributes, axis);
  return all;
}

}  // namespace

bool same_bits(const Dataset::Values& one, const Dataset::Values& other) {
  if (one.index() != other.index()) return false;
  return std::visit(
      [&](const auto& values) {
        const auto& others = std::get<std::decay_t<decltype(values)>>(other);
        return values.size() == others.size() &&
               (values.empty() ||
                std::memcmp(values.data(), others.data(), values.size() * sizeof(values[0])) == 0);
      },
      one);
}

void Results::append(const Results& other) {
  groups.insert(groups.end(), other.groups.begin(), other.groups.end());
  datasets.insert(datasets.end(), other.datasets.begin(), other.datasets.end());
}

Results stack(const std::vector<Results>& list, const std::string& axis) {
  Results all;
  if (list.empty()) return all;
  const Results& first = list.front();
  for (const Results& one : list)
    expect_alike(one.groups.size() == first.groups.size() && one.datasets.size() == first.datasets.size(),
                 "the number of their parts");
  for (std::size_t g = 0; g < first.groups.size(); ++g) {
    const Group& group = first.groups[g];
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Group& one = list[i].groups[g];
      expect_alike(one.path == group.path && one.numbered == group.numbered &&
                       (group.numbered || one.attributes == group.attributes),
                   "group " + group.path);
      if (group.numbered) all.group(fmt::format("{}/{:06}", group.path, i), one.attributes);
    }
    if (!group.numbered) all.groups.push_back(group);
  }
  for (std::size_t d = 0; d < first.datasets.size(); ++d)
    all.datasets.push_back(stack_dataset(list, d, axis));
  return all;
}

const Dataset* find_dataset(const Results& results, std::string_view path) {
  for (const Dataset& dataset : results.datasets)
    if (dataset.path == path) return &dataset;
  return nullptr;
}

const std::string* find_gauge_file(const Results& results) {
  for (const Group& group : results.groups)
    if (group.numbered && group.path == "/gauge")
      return find_attribute<std::string>(group.attributes, "file");
  return nullptr;
}

Attributes described(std::vector<std::string> axes, std::string units, std::string meaning) {
  return {{"axes", std::move(axes)}, {"units", std::move(units)}, {"meaning", std::move(meaning)}};
}

const Attribute* find_attribute(const Attributes& attributes, std::string_view name) {
  for (const auto& [key, value] : attributes)
    if (key == name) return &value;
  return nullptr;
}

}  // namespace plaq::jobs

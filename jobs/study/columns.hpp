// Numbers of a study as datasets of its results, and back.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "jobs/results/results.hpp"

namespace plaq::jobs {

// One number of each T that was found.
template <class T>
struct Column {
  const char* path;  // "/rates/gflops"
  const char *units, *meaning;
  std::variant<double (*)(const T&), std::int64_t (*)(const T&)> value;
};

// `found` has one T for each index of the axes, the last one fastest, `extents` how many each axis has.
template <class T>
void add_columns(Results& results, const std::vector<T>& found, const std::vector<std::string>& axes,
                 const std::vector<std::size_t>& extents, std::span<const Column<T>> columns) {
  for (const Column<T>& column : columns)
    std::visit(
        [&](auto value) {
          std::vector<decltype(value(found.front()))> values;
          for (const T& one : found) values.push_back(value(one));
          results.dataset(column.path, extents, std::move(values),
                          described(axes, column.units, column.meaning));
        },
        column.value);
}

std::vector<std::int64_t> integers(const auto& numbers) { return {numbers.begin(), numbers.end()}; }
std::vector<std::string> names_of(const auto& all) {
  std::vector<std::string> names;
  for (const auto& one : all) names.push_back(name_of(one));
  return names;
}

// A dataset of a study that is there, by its indices.
class Numbers {
 public:
  Numbers(const Results& results, std::string_view path);
  static bool are_in(const Results& results, std::string_view path) {
    return find_dataset(results, path) != nullptr;
  }

  const std::vector<std::size_t>& extents() const { return data_->extents; }
  double operator[](std::size_t place) const;  // the last index fastest
  double operator()(std::convertible_to<std::size_t> auto... index) const {
    return (*this)[place_of({static_cast<std::size_t>(index)...})];
  }

 private:
  std::size_t place_of(std::initializer_list<std::size_t> index) const;
  const Dataset* data_;
};

}  // namespace plaq::jobs

#include "jobs/study/columns.hpp"

#include "core/system/error.hpp"

namespace plaq::jobs {

Numbers::Numbers(const Results& results, std::string_view path) : data_(find_dataset(results, path)) {
  require(data_ != nullptr, "a dataset of a study that is not there was asked for");
}

double Numbers::operator[](std::size_t place) const {
  return std::visit([&](const auto& values) { return static_cast<double>(values.at(place)); }, data_->values);
}

std::size_t Numbers::place_of(std::initializer_list<std::size_t> index) const {
  require(index.size() == data_->extents.size(), "a dataset of a study has another number of axes");
  std::size_t place = 0, axis = 0;
  for (const std::size_t i : index) place = place * data_->extents[axis++] + i;
  return place;
}

}  // namespace plaq::jobs

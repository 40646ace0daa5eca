// Results of an ensemble in a file of them, field by field: what stack() was given. Serial: rank 0.
#pragma once

#include <map>
#include <string>

#include "jobs/results/result_file.hpp"

namespace plaq::jobs {

class StoredRows {
 public:
  // All values of the file. Throws as read_result_file() does.
  explicit StoredRows(std::string path);

  // Results of field `row`, to the bit as they were found. `like`: results of another field by the same job,
  // which say what there is, in which order, and the attributes of all but numbered groups. Throws
  // Error(output_file) if the file has something else.
  Results row(std::size_t row, const Results& like) const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  const StoredObject& object(const std::string& path) const;
  Group group_of(const Group& like, std::size_t row) const;
  Dataset dataset_of(const Dataset& like, std::size_t row) const;

  std::string path_;
  std::map<std::string, StoredObject> objects_;
};

}  // namespace plaq::jobs

#include "jobs/results/output_file.hpp"

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/system/error.hpp"
#include "core/system/machine.hpp"
#include "io/bytes/checksum_trailer.hpp"

namespace plaq::jobs {

OutputFile::OutputFile(std::string path, bool overwrite) : file_(std::move(path), 0, overwrite) {
  objects_["/"].attributes.emplace("layout_version", layout_version);
}

void OutputFile::fail(const std::string& what) const {
  throw Error(ErrorKind::output_file, fmt::format("cannot write {}: {}", file_.path(), what));
}

Hdf5Object& OutputFile::make(const std::string& where) {
  require(open_, "an output file was added to after its end");
  const auto [at, is_new] = objects_.try_emplace(where);
  if (!is_new) fail(where + " is there already");
  for (auto slash = where.rfind('/'); slash != 0 && slash != std::string::npos;
       slash = where.rfind('/', slash - 1))
    objects_.try_emplace(where.substr(0, slash));
  return at->second;
}

void OutputFile::dataset(const std::string& where, Dataset::Values values, std::vector<std::size_t> extents,
                         const Attributes& attributes) {
  const std::size_t count = std::visit([](const auto& list) { return list.size(); }, values);
  require(count > 0 &&
              std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>()) == count,
          "the extents of a dataset do not fit its values");
  make(where).dataset = Dataset{where, std::move(extents), std::move(values), {}};
  for (const auto& [name, value] : attributes) attribute(where, name, value);
}

void OutputFile::write(const Results& results) {
  for (const Group& one : results.groups) {
    if (!objects_.contains(one.path)) make(one.path);
    for (const auto& [name, value] : one.attributes) attribute(one.path, name, value);
  }
  for (const Dataset& one : results.datasets) dataset(one.path, one.values, one.extents, one.attributes);
}

void OutputFile::group(const std::string& where, const Attributes& attributes) {
  make(where);
  for (const auto& [name, value] : attributes) attribute(where, name, value);
}

void OutputFile::attribute(const std::string& where, const std::string& name, const Attribute& value) {
  require(open_, "an output file was added to after its end");
  const auto at = objects_.find(where);
  if (at == objects_.end()) fail(fmt::format("attribute '{}': there is no {}", name, where));
  if (!at->second.attributes.emplace(name, value).second)
    fail(fmt::format("attribute '{}' of {} is there already", name, where));
}

void OutputFile::commit() {
  require(std::exchange(open_, false), "an output file was committed twice");
  std::vector<std::byte> image;
  try {
    image = hdf5_image(objects_);
  } catch (const Hdf5Failure& failure) {
    fail(failure.what());
  }
  file_.append(image);
  file_.append(make_trailer(image));
  file_.publish();
}

void describe_job(OutputFile& out, const JobFile& job, const Extents& extents) {
  out.attribute("/", "plaq_version", std::string(version()));
  out.attribute("/", "job_type", job.type());
  out.attribute("/", "job", job.physics_text());
  out.attribute("/", "extents", std::vector<std::int64_t>(extents.begin(), extents.end()));
}

}  // namespace plaq::jobs

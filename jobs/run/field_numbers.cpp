#include "jobs/run/field_numbers.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"

namespace plaq::jobs {

std::map<std::string, FieldNumbers> numbers_of_fields(const JobFile& job, const EnsembleInput& input,
                                                      const std::string& what) {
  std::map<std::string, FieldNumbers> all;
  for (std::size_t i = 0; i < input.files.size(); ++i) {
    const ChainNumbers& numbers = input.numbers.at(i);
    const FieldNumbers found{numbers.trajectory.value_or(0), numbers.replica.value_or(0)};
    if (!runs_dry() && !numbers.trajectory)
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: {} belong to the trajectory of {}, which is not known; name it by [gauge] "
                              "numbering",
                              job.file(), what, input.files[i]));
    if (found.trajectory < 0 || found.trajectory >> 48 != 0 || found.replica < 0 || found.replica >> 32 != 0)
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: {}: {} has the trajectory {} and the replica {}, of which random numbers "
                              "have no more than 48 and 32 bits",
                              job.file(), what, input.files[i], found.trajectory, found.replica));
    all[input.files[i]] = found;
  }
  return all;
}

}  // namespace plaq::jobs

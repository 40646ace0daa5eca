// What plaq run would make of the files that are there, for plans.
#include <fmt/format.h>

#include "core/system/error.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/run/job_inputs.hpp"

namespace plaq::jobs {

Outlook outlook(const std::function<Outlook()>& look) {
  try {
    return look();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::output_file) throw;
    return {Outlook::Kind::stops, error.what()};
  }
}

Outlook outlook_of_ensemble(const JobFile& job, const JobFiles& files, const EnsembleInput& input,
                            const std::string& axis, int parts, const std::vector<std::string>& more) {
  return outlook([&]() -> Outlook {
    const EarlierFindings found = look_for_earlier_run(job, files);
    if (found.complete) return {Outlook::Kind::complete, fmt::format("{} is complete", files.output)};
    for (const auto& name : more) expect_replaceable(name, found.resumes || job.flag("output", "overwrite"));
    const std::size_t known = count_known(found.records, input, parts);
    if (known == 0) return {};
    return {Outlook::Kind::goes_on,
            fmt::format(
                "{} of {} {} are done, says {}", known, input.files.size() * static_cast<std::size_t>(parts),
                parts == 1 ? "gauge fields" : plural_of(axis) + " of all gauge fields", files.journal)};
  });
}

}  // namespace plaq::jobs

#include "jobs/run/job_description.hpp"

#include <string>
#include <vector>

#include "core/system/version.hpp"

namespace plaq::jobs {

void describe_job(OutputFile& out, const JobFile& job, const Extents& extents) {
  out.attribute("/", "plaq_version", std::string(version()));
  out.attribute("/", "job_type", job.type());
  out.attribute("/", "job", job.physics_text());
  out.attribute("/", "extents", std::vector<std::int64_t>(extents.begin(), extents.end()));
}

}  // namespace plaq::jobs

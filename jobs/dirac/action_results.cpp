#include "jobs/dirac/action_results.hpp"

#include "jobs/dirac/action_smearing.hpp"
#include "jobs/run/job_description.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {

void write_action_results(const JobContext& context, const OutputKeys& output, const Results& results) {
  const JobFile& job = context.job;
  OutputFile out(output);
  describe_job(out, job, context.extents);
  out.group("/action", smeared_action_attributes(job));
  out.write(results);
  out.commit();
}

}  // namespace plaq::jobs

// Sizes of the files that jobs write.
#include "jobs/common/version.hpp"
#include "jobs/plan/plan_parts.hpp"

namespace plaq::jobs {
PlannedFile planned_journal(const JobFile& job, const std::string& name, std::uint64_t records_bytes) {
  constexpr std::uint64_t head = 12, around_record = 24;
  const std::uint64_t own = head + around_record + std::string(version()).size() + job.physics_text().size();
  return {name, own + records_bytes, false, true};
}

std::uint64_t about_result_file_bytes(const JobFile& job) { return 8800 + job.physics_text().size(); }

std::uint64_t about_dataset_bytes(std::uint64_t characters) { return 400 + characters; }

}  // namespace plaq::jobs

// Job files: the text up to the first zero byte, then an override up to each further one. A job that is good
// has a canonical text that is the same job.
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/schema/show_schema.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace {

using plaq::jobs::JobFile;

void parse(std::string_view text) {
  JobFile::Overrides overrides;
  const auto end = text.find('\0');
  for (auto at = end; at != std::string_view::npos;) {
    const auto next = text.find('\0', at + 1);
    overrides.emplace_back(text.substr(at + 1, next == std::string_view::npos ? next : next - at - 1));
    at = next;
  }
  const JobFile job = JobFile::parse(text.substr(0, end), "fuzz", overrides);
  const std::string canonical = job.canonical_text();
  const JobFile again = JobFile::parse(canonical, "canonical");
  if (again.canonical_text() != canonical || again.physics_text() != job.physics_text()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    parse(plaq::fuzz::text_of(bytes, size));
  } catch (const plaq::Error& error) {
    if (error.kind() != plaq::ErrorKind::job_file && error.kind() != plaq::ErrorKind::usage) throw;
  }
  return 0;
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  std::vector<std::string> seeds;
  for (const auto& job : jobs::job_type_names()) {
    const std::string text = jobs::schema_example(job);
    seeds.push_back(text);
    std::string bare;  // without comments, so that mutations fall on keys
    for (std::size_t at = 0; at < text.size();) {
      const auto end = text.find('\n', at) + 1;
      if (text[at] != '#') bare.append(text, at, end - at);
      at = end;
    }
    seeds.push_back(bare);
    seeds.push_back(bare + '\0' + "comms.process_grid=[1, 1, 1, 2]" + '\0' + "run.threads=" + '\0' +
                    "run.location=host");
    seeds.push_back(jobs::JobFile::parse(bare, "seed").canonical_text());
  }
  return seeds;
}

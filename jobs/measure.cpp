// Job type measure: observables of gauge fields that exist. Results:
//
//   /                    attributes: plaq_version, job_type, job, extents
//   /observables/...     one dataset an observable (jobs/observable_columns.hpp), one value a file
//   /gauge/checksum      of the links as found, one a file
//   /gauge/000000, ...   one group a file in the order of measurement: file, checksum, plaquette, link_trace
#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "comms/mpi_check.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "jobs/collective_check.hpp"
#include "jobs/loaded_gauge.hpp"
#include "jobs/observable_columns.hpp"
#include "jobs/output_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/version.hpp"

namespace plaq::jobs {
namespace {

// On rank 0. The files that a pattern means, by name; a file of that very name wins over the pattern.
std::vector<std::string> matches(const std::string& pattern) {
  std::error_code ignored;
  if (std::filesystem::exists(pattern, ignored) || pattern.find_first_of("*?") == std::string::npos)
    return {pattern};
  glob_t found{};
  std::vector<std::string> names;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    names.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  std::sort(names.begin(), names.end());
  if (names.empty())
    throw Error(ErrorKind::input_file,
                fmt::format("no file matches {}, a pattern in [gauge] files", pattern));
  return names;
}

struct Input {
  std::vector<std::string> files;
  Extents extents{};
};

// On rank 0: every file there, recognised, of the right size, and of one lattice.
Input find_input(const JobFile& job) {
  Input input;
  for (const auto& pattern : job.strings("gauge", "files"))
    for (auto& file : matches(pattern)) input.files.push_back(std::move(file));
  for (const auto& file : input.files) {
    const Extents extents = inspect_gauge_file(file).extents;
    if (&file == &input.files.front()) input.extents = extents;
    if (extents != input.extents)
      throw Error(ErrorKind::input_file,
                  fmt::format("{} has a lattice of {}, but {} has {}: a job measures fields of one lattice",
                              file, to_string(extents), input.files.front(), to_string(input.extents)));
  }
  return input;
}

Input input_from_first_rank(const JobFile& job) {
  Input input;
  std::string joined;  // each name with a null behind it
  input.extents = extents_from_first_rank([&] {
    input = find_input(job);
    for (const auto& file : input.files) joined.append(file).push_back('\0');
    return input.extents;
  });
  auto length = static_cast<std::uint64_t>(joined.size());
  check_mpi(MPI_Bcast(&length, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD), "MPI_Bcast");
  joined.resize(length);
  check_mpi(MPI_Bcast(joined.data(), static_cast<int>(length), MPI_CHAR, 0, MPI_COMM_WORLD), "MPI_Bcast");
  input.files.clear();
  for (std::size_t at = 0; at < joined.size(); at += input.files.back().size() + 1)
    input.files.emplace_back(joined.c_str() + at);
  return input;
}

struct Results {
  ObservableColumns observables;
  std::vector<std::int64_t> checksums;
  std::vector<Attributes> gauge;  // of each file
};

// On rank 0.
void print_line(const JobFile& job, const std::string& file, const GaugeObservables& o) {
  std::string line = file;
  const auto wanted = [&](const char* name) { return job.lists("measure", "observables", name); };
  if (wanted("plaquette"))
    line += fmt::format("  plaquette {:.12f} (space {:.12f}, time {:.12f})", o.plaquette.all,
                        o.plaquette.spatial, o.plaquette.temporal);
  if (wanted("link_trace")) line += fmt::format("  link trace {:.12f}", o.link_trace);
  if (wanted("polyakov_loop"))
    line += fmt::format("  Polyakov loop {:.12f} {:+.12f} i", o.polyakov_loop.real(), o.polyakov_loop.imag());
  if (wanted("unitarity")) line += fmt::format("  unitarity violation {:.1e}", o.unitarity_violation);
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

Results measure_all(const JobContext& context, const std::vector<std::string>& files) {
  Results results;
  Progress progress("measure", static_cast<double>(files.size()),
                    Progress::Settings::standard(context.rank()));
  for (const auto& file : files) {
    progress.clear();
    const LoadedGauge gauge = load_gauge(context, file);
    const GaugeObservables& o = gauge.observables;
    results.observables.add(o);
    results.checksums.push_back(gauge.report.checksum.a);
    results.gauge.push_back({{"file", file},
                             {"checksum", gauge.report.checksum.text()},
                             {"plaquette", o.plaquette.all},
                             {"link_trace", o.link_trace}});
    if (context.rank() == 0) print_line(context.job, file, o);
    progress.advance();
  }
  progress.finish(fmt::format("{} file{}", files.size(), files.size() == 1 ? "" : "s"));
  return results;
}

// On rank 0.
void write_results(const JobContext& context, const Results& results) {
  const JobFile& job = context.job;
  OutputFile out(job.string("output", "file"), job.flag("output", "overwrite"));
  out.attribute("/", "plaq_version", std::string(version()));
  out.attribute("/", "job_type", job.type());
  out.attribute("/", "job", job.canonical_text());
  out.attribute("/", "extents", std::vector<std::int64_t>(context.extents.begin(), context.extents.end()));
  results.observables.write(out, "/observables", "file",
                            [&](const char* name) { return job.lists("measure", "observables", name); });
  out.dataset("/gauge/checksum", results.checksums, {results.checksums.size()},
              {{"axes", std::string("file")}, {"units", std::string("NERSC checksum")}});
  for (std::size_t i = 0; i < results.gauge.size(); ++i)
    out.group(fmt::format("/gauge/{:06}", i), results.gauge[i]);
  out.commit();
}

}  // namespace

int run_measure(const JobFile& job) {
  const std::string output = job.string("output", "file");
  on_first_rank([&] { check_output(output, job.flag("output", "overwrite")); });
  const Input input = input_from_first_rank(job);
  const JobContext context = start_job(job, input.extents);
  const Results results = measure_all(context, input.files);
  on_first_rank([&] { write_results(context, results); });
  log::info(fmt::format("wrote {}", output));
  return 0;
}

}  // namespace plaq::jobs

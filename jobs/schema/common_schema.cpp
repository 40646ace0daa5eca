// Tables and rules that all job types share, and the list of job types.
#include <fmt/format.h>

#include <algorithm>

#include "jobs/schema/job_file.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* directions = "xyzt";

void check_split(const JobFile& job, std::vector<Problem>& problems) {
  const auto extents = job.optional_four("lattice", "extents");
  const auto grid = job.optional_four("comms", "process_grid");
  if (!extents || !grid) return;
  for (std::size_t d = 0; d < 4; ++d) {
    const int extent = (*extents)[d], ranks = (*grid)[d];
    if (extent % (2 * ranks) == 0) continue;
    problems.push_back(
        {{"comms", "process_grid"},
         fmt::format("'process_grid' in [comms]: {} ranks in direction {} cannot share {} sites; each rank "
                     "must get the same even number of them",
                     ranks, directions[d], extent)});
  }
}

}  // namespace

std::vector<std::string> job_types() {
  return {"generate", "gaugefix", "measure", "propagator", "kernel_study", "scaling", "solver_study"};
}

const Schema* find_schema(std::string_view job) {
  for (const Schema* schema :
       {&generate_schema(), &gaugefix_schema(), &measure_schema(), &propagator_schema(),
        &kernel_study_schema(), &scaling_schema(), &solver_study_schema()})
    if (schema->job == job) return schema;
  return nullptr;
}

std::string configuration_name(const std::string& prefix, std::int64_t sweep, const std::string& format) {
  return fmt::format("{}.{:06}.{}", prefix, sweep, format);
}

Table top_table(const std::string& job) {
  return {"",
          "The top of the file.",
          {key::string("job", "Job type.").one_of(job_types()).need('"' + job + '"')}};
}

Table lattice_table(LatticeFrom from) {
  const bool from_file = from == LatticeFrom::file;
  auto extents =
      key::integers("extents", from_file ? "Sites in x, y, z, t; must be those of the gauge file."
                                         : "Sites in x, y, z, t; may be left out when the field "
                                           "starts from a file, and must then be those of the file.");
  extents.of_length(4).within(2, 4096).even().such_as("[8, 8, 8, 16]");
  from_file ? extents.without("those of the gauge file")
            : extents.without("those of the file; needed without one").show();
  return {"lattice", "The global lattice.", {extents}};
}

Table comms_table() {
  return {
      "comms",
      "Splitting over MPI ranks; no key here changes any result.",
      {key::integers("process_grid",
                     "Ranks in x, y, z, t, their product being the number of ranks; without it the grid "
                     "with the smallest surface is taken, where surface between nodes counts more than "
                     "surface within one; asqtad quarks need at least four sites a rank where it splits.")
           .without("chosen")
           .of_length(4)
           .within(1, 4096)
           .such_as("[1, 1, 2, 4]"),
       key::string("transport",
                   "How faces travel between ranks: chosen by plaq for each pair of ranks, or all through "
                   "host memory, by an MPI that takes memory of a GPU, by NCCL, by stores into the memory "
                   "of other GPUs of a node, or not at all (self: one rank).")
           .one_of({"auto", "self", "host", "device_mpi", "nccl", "peer"})
           .otherwise("auto"),
       key::real(
           "watchdog",
           "Seconds that a rank may wait for others without anything coming before it says for what "
           "and the job ends (exit code 7) instead of hanging; 0: for ever. Ranks also wait for rank 0 "
           "while it writes files, and for groups of ranks that work longer than others: these give signs "
           "of life.")
           .within(0, 1e9)
           .otherwise(600.0),
       key::flag(
           "halo_checksums",
           "Every face that ranks exchange travels with a checksum; one that comes damaged, stale or "
           "from the wrong rank ends the job (exit code 7) before anything made of it is kept. Rates of "
           "studies are then lower: exchanges take longer, and no launch is fused.")
           .otherwise(false),
       key::strings("force_partition",
                    "Directions that exchange faces through the transport even where they are not split "
                    "(for tests).")
           .one_of({"x", "y", "z", "t"})
           .otherwise(std::vector<std::string>{})}};
}

Table run_table() {
  return {
      "run",
      "The machine.",
      {key::string("location",
                   "Where fields live and kernels run; auto: on the GPU where every rank has one.")
           .one_of({"auto", "host", "gpu"})
           .otherwise("auto"),
       key::integer("threads",
                    "Host threads of each rank; 0: OMP_NUM_THREADS, else the rank's share of the cores.")
           .within(0, 4096)
           .otherwise(0),
       key::flag("strict_binding",
                 "Stop before any work (exit code 2) where ranks share a GPU, where a rank's cores are on "
                 "another NUMA node than its GPU, or where there are more threads than cores; false: warn.")
           .otherwise(false),
       key::string("tuning",
                   "How kernels are launched on a GPU: chosen by timing at first use and kept in the tuning "
                   "file, taken from it without timing, or the default of each; no result depends on it.")
           .one_of({"on", "off", "read-only"})
           .otherwise("on"),
       key::string("tuning_file", "File of timings, for any number of jobs and machines.")
           .such_as("\"tuning.jsonl\"")
           .without("PLAQ_TUNING_FILE, else plaq/tuning.jsonl in the user's cache"),
       key::flag("profile",
                 "Print at the end where the time of operators went: packing, interior, exposed "
                 "communication, boundary; no result depends on it.")
           .otherwise(false),
       key::string("profile_file", "File for the same as JSON; asks for a profile.")
           .such_as("\"profile.json\"")
           .without("none is written")}};
}

Key overwrite_key() {
  return key::flag("overwrite", "Replace output files that exist; false: stop before any work is done.")
      .otherwise(false);
}

Key antiperiodic_key() {
  return key::string(
             "antiperiodic",
             "What to do with a file whose links U_t of the last time slice carry the sign of antiperiodic "
             "boundary conditions: refuse it, or strip the sign.")
      .one_of({"refuse", "strip"})
      .otherwise("refuse");
}

Table gauge_files_table(const std::string& order) {
  return {"gauge",
          "The gauge fields.",
          {key::strings("files",
                        "Gauge fields in the order " + order + "; * and ? stand for many, sorted by name.")
               .not_empty()
               .need("[\"field.*.nersc\"]"),
           antiperiodic_key()}};
}

std::vector<Rule> common_rules() {
  return {{{{"lattice", "extents"}, {"comms", "process_grid"}},
           "Each rank must get the same even number of sites in each direction, at least 2.",
           check_split}};
}

}  // namespace plaq::jobs

#include "settings/lattice/lattice_tables.hpp"

#include <fmt/format.h>

#include "settings/schema/field.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {
namespace {

constexpr const char* directions = "xyzt";

void check_split(Problems& problems, const LatticeKeys& lattice, const CommsKeys& comms) {
  const auto& extents = lattice.extents;
  const auto& grid = comms.process_grid;
  if (!extents || !grid) return;
  for (std::size_t d = 0; d < 4; ++d) {
    const int extent = (*extents)[d], ranks = (*grid)[d];
    if (extent % (2 * ranks) != 0)
      problems.add("comms.process_grid", fmt::format("{} ranks in direction {} cannot share {} sites; each "
                                                     "rank must get the same even number of them",
                                                     ranks, directions[d], extent));
  }
}

}  // namespace

SharingSettings CommsKeys::sharing() const {
  SharingSettings sharing{process_grid};
  for (const int mu : force_partition) sharing.forced |= 1u << mu;
  return sharing;
}

Table lattice_table(LatticeFrom from) {
  const bool from_file = from == LatticeFrom::file;
  Key extents = field(&LatticeKeys::extents, "extents",
                      from_file ? "Sites in x, y, z, t; must be those of the gauge file."
                                : "Sites in x, y, z, t; may be left out when the field starts from a file, "
                                  "and must then be those of the file.");
  extents.within(2, 4096).even().such_as("[8, 8, 8, 16]");
  from_file ? extents.without("those of the gauge file")
            : extents.without("those of the file; needed without one").show();
  return {"lattice", "The global lattice.", {extents}};
}

Table comms_table() {
  return not_physics(
      {"comms",
       "Splitting over MPI ranks; no key here changes any result.",
       {field(&CommsKeys::process_grid, "process_grid",
              "Ranks in x, y, z, t, their product being the number of ranks; without it the grid with the "
              "smallest surface is taken, where surface between nodes counts more than surface within one; "
              "asqtad and hisq quarks need at least four sites a rank where it splits.")
            .without("chosen")
            .within(1, 4096)
            .such_as("[1, 1, 2, 4]"),
        choice(&CommsKeys::transport, "transport",
               "How faces travel between ranks: chosen by plaq for each pair of ranks, or all through host "
               "memory, by an MPI that takes memory of a GPU, by NCCL, by stores into the memory of other "
               "GPUs of a node, or not at all (self: one rank).",
               Names<TransportKind>(transport_names)),
        field(
            &CommsKeys::watchdog, "watchdog",
            "Seconds that a rank may wait for others without anything coming before it says for what and the "
            "job ends (exit code 7) instead of hanging; 0: for ever. Ranks also wait for rank 0 while it "
            "writes files, and for groups of ranks that work longer than others: these give signs of life.")
            .within(0, 1e9),
        field(&CommsKeys::halo_checksums, "halo_checksums",
              "Every face that ranks exchange travels with a checksum; one that comes damaged, stale or from "
              "the wrong rank ends the job (exit code 7) before anything made of it is kept. Rates of "
              "studies are then lower: exchanges take longer, and no launch is fused."),
        choice(
            &CommsKeys::force_partition, "force_partition",
            "Directions that exchange faces through the transport even where they are not split (for tests).",
            {{"x", 0}, {"y", 1}, {"z", 2}, {"t", 3}})}});
}

Table run_table() {
  return not_physics(
      {"run",
       "The machine.",
       {field(&RunKeys::location, "location",
              "Where fields live and kernels run; auto: on the GPU where every rank has one.")
            .one_of({"auto", "host", "gpu"}),
        field(&RunKeys::threads, "threads",
              "Host threads of each rank; 0: OMP_NUM_THREADS, else the rank's share of the cores.")
            .within(0, 4096),
        field(&RunKeys::strict_binding, "strict_binding",
              "Stop before any work (exit code 2) where ranks share a GPU, where a rank's cores are on "
              "another NUMA node than its GPU, or where there are more threads than cores; false: warn."),
        choice(&RunKeys::tuning, "tuning",
               "How kernels are launched on a GPU: chosen by timing at first use and kept in the tuning "
               "file, taken from it without timing, or the default of each; no result depends on it.",
               {{"on", TuneMode::on}, {"off", TuneMode::off}, {"read-only", TuneMode::read_only}}),
        field(&RunKeys::tuning_file, "tuning_file", "File of timings, for any number of jobs and machines.")
            .such_as("\"tuning.jsonl\"")
            .without("PLAQ_TUNING_FILE, else plaq/tuning.jsonl in the user's cache"),
        field(&RunKeys::profile, "profile",
              "Print at the end where the time of operators went: packing, interior, exposed communication, "
              "boundary; no result depends on it."),
        field(&RunKeys::profile_file, "profile_file", "File for the same as JSON; asks for a profile.")
            .such_as("\"profile.json\"")
            .without("none is written")}});
}

Rule split_rule() {
  return {{"lattice.extents", "comms.process_grid"},
          "Each rank must get the same even number of sites in each direction, at least 2.",
          check_split};
}

}  // namespace plaq::settings

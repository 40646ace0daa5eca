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
                      from_file ? "Sites in x, y, z, t. They must match the gauge file."
                                : "Sites in x, y, z, t. The key may be left out when the field starts from a "
                                  "file. If it is given, it must match the file.");
  extents.within(2, 4096).even().such_as("[8, 8, 8, 16]");
  from_file ? extents.without("those of the gauge file")
            : extents.without("those of the file; needed without one").show();
  return {"lattice", "The whole lattice, over all ranks.", {extents}};
}

Table comms_table() {
  return not_physics(
      {"comms",
       "How the lattice is split over MPI ranks. No key of this table changes a result.",
       {field(&CommsKeys::process_grid, "process_grid",
              "Numbers of ranks in x, y, z, t. Their product must be the number of ranks. Without this key, "
              "plaq takes the grid with the smallest surface; surface between nodes counts more than surface "
              "within a node. Asqtad and HISQ quarks need at least four sites per rank in each split "
              "direction.")
            .without("chosen")
            .within(1, 4096)
            .such_as("[1, 1, 2, 4]"),
        choice(&CommsKeys::transport, "transport",
               "How ranks exchange halos. auto: plaq chooses for each pair of ranks; self: no exchange (one "
               "rank); host: through host memory; device_mpi: an MPI library that accepts GPU memory; nccl: "
               "NCCL; peer: direct stores into the memory of other GPUs of the node.",
               Names<TransportKind>(transport_names)),
        field(&CommsKeys::watchdog, "watchdog",
              "Seconds that a rank waits for a message from other ranks. After this time the rank reports "
              "what it waited for, and the job ends with exit code 7. 0: no limit. Ranks that write files or "
              "work longer than others send signs of life, so waiting for them is no error.")
            .within(0, 1e9),
        field(&CommsKeys::halo_checksums, "halo_checksums",
              "true: each halo message carries a checksum. A message that is damaged, old or from the wrong "
              "rank ends the job (exit code 7), and no result that depends on it is kept. Exchanges take "
              "longer then, and fused launches are switched off."),
        choice(&CommsKeys::force_partition, "force_partition",
               "Directions that exchange halos through the transport even if they are not split. This key is "
               "for tests.",
               {{"x", 0}, {"y", 1}, {"z", 2}, {"t", 3}})}});
}

Table run_table() {
  return not_physics(
      {"run",
       "Location, threads and tuning.",
       {field(
            &RunKeys::location, "location",
            "Where fields are stored and kernels run. auto: on GPUs if every rank has one, else on the host.")
            .one_of({"auto", "host", "gpu"}),
        field(&RunKeys::threads, "threads",
              "Number of host threads of each rank. 0: OMP_NUM_THREADS if it is set, else the rank's share "
              "of the cores.")
            .within(0, 4096),
        field(&RunKeys::strict_binding, "strict_binding",
              "true: the job ends before any work (exit code 2) if ranks share a GPU, if a rank's cores and "
              "its GPU are on different NUMA nodes, or if there are more threads than cores. false: plaq "
              "only warns."),
        choice(&RunKeys::tuning, "tuning",
               "How launch parameters of GPU kernels are chosen. on: by timing at first use, and kept in the "
               "tuning file; read-only: from the tuning file alone; off: the default of each kernel. No "
               "result depends on this key.",
               {{"on", TuneMode::on}, {"off", TuneMode::off}, {"read-only", TuneMode::read_only}}),
        field(&RunKeys::tuning_file, "tuning_file",
              "The tuning file. Any number of jobs and machines may share it.")
            .such_as("\"tuning.jsonl\"")
            .without(
                "the file that PLAQ_TUNING_FILE names, else plaq/tuning.jsonl in the user's cache directory"),
        field(&RunKeys::profile, "profile",
              "true: plaq prints at the end how the time of operators divides into packing, interior, "
              "exposed communication and boundary. No result depends on this key."),
        field(&RunKeys::profile_file, "profile_file",
              "JSON file for the profile. Naming the file switches the profile on.")
            .such_as("\"profile.json\"")
            .without("no file is written")}});
}

Rule split_rule() {
  return {{"lattice.extents", "comms.process_grid"},
          "Each rank must have the same even number of sites in each direction, at least 2.",
          check_split};
}

}  // namespace plaq::settings

#include "comms/communicator/mpi_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "comms/communicator/mpi_check.hpp"
#include "core/system/error.hpp"
#include "core/system/fork.hpp"

namespace plaq {
namespace {

using namespace std::chrono_literals;

int number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? std::atoi(text) : otherwise;
}

// A launcher of another MPI library starts processes that find themselves alone: each would do the whole job,
// and write the files of all others.
void expect_ranks_of_launcher() {
  int announced = 1, found = 0;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    announced = std::max(announced, number(name, 1));
  MPI_Comm_size(MPI_COMM_WORLD, &found);
  if (found > 1 || announced == 1) return;
  throw Error(
      ErrorKind::comms,
      fmt::format("the launcher started {} ranks, but MPI finds one: the launcher is not that of plaq's MPI "
                  "library, {}; use its mpirun",
                  announced, mpi_library()));
}

}  // namespace

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string name(text.data(), std::find_if(text.data(), text.data() + length,
                                             [](char c) { return c == ',' || c == '\n'; }));
  std::replace(name.begin(), name.end(), '\t', ' ');
  return name;
}

void expect_own_mpi() {
#ifdef OPEN_MPI
  constexpr bool open_mpi = true;
#else
  constexpr bool open_mpi = false;
#endif
  const std::string library = mpi_library();
  if (library.starts_with("Open MPI") != open_mpi)
    throw Error(
        ErrorKind::comms,
        fmt::format("this process has loaded {}, and plaq was built for {}: mpi4py must be of plaq's MPI "
                    "library",
                    library, open_mpi ? "Open MPI" : "another MPI library"));
  if (!mpi_runs())
    throw Error(
        ErrorKind::comms,
        fmt::format("plaq's MPI library, {}, does not run: mpi4py belongs to another MPI library, or MPI "
                    "has not started or has ended",
                    library));
}

LauncherRank launcher_rank() {
  // Open MPI; MPICH, Intel MPI; PMIx; Slurm.
  constexpr const char* names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                      {"PMI_RANK", "PMI_SIZE"},
                                      {"PMIX_RANK", "SLURM_NTASKS"},
                                      {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (const auto& [rank, size] : names)
    if (std::getenv(rank)) return {number(rank, 0), number(size, 1)};
  return {};
}

bool has_launcher() {
  // Launchers set these variables: those of launcher_rank() and others. Users set the last one for a launcher
  // that plaq does not know. SLURM_PROCID is missing: Slurm sets it for processes that no srun started, too.
  constexpr const char* names[] = {"OMPI_COMM_WORLD_RANK",
                                   "PMI_RANK",
                                   "PMI_FD",
                                   "PMI_PORT",
                                   "PMIX_RANK",
                                   "PMIX_NAMESPACE",
                                   "SLURM_STEP_ID",
                                   "ALPS_APP_PE",
                                   "HYDI_CONTROL_FD",
                                   "FLUX_TASK_RANK",
                                   "PALS_RANKID",
                                   "MV2_COMM_WORLD_RANK",
                                   "MPI_LOCALRANKID",
                                   "JSM_NAMESPACE_RANK",
                                   "PLAQ_START_MPI"};
  return std::any_of(std::begin(names), std::end(names),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

// It is called beside a thread that may be inside MPI, so the end gets a moment only.
void end_all_ranks() {
  constexpr int code = static_cast<int>(ErrorKind::comms);
  std::thread([] {
    std::this_thread::sleep_for(10s);
    std::_Exit(code);
  }).detach();
  abort_all_ranks(code);
}

bool mpi_runs() {
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return begun != 0 && ended == 0 && !is_lacking_fork();
}

MpiSession::MpiSession(bool start, int& argc, char**& argv) {
  if (!start) return;
  int provided = 0;
  check_mpi(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  started_ = true;
  has_what_forks_lack();
  expect_ranks_of_launcher();
}

void MpiSession::end() {
  if (std::exchange(started_, false) && !is_lacking_fork())
    wait_mpi("MPI_Finalize", [] { return MPI_Finalize(); });
}

void abort_all_ranks(int code) {
  if (mpi_runs()) MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace plaq

// A test on one rank that no launcher started, kept apart from all others.
//
// Open MPI gives every process a session directory. Those of a user's single processes are one and the same,
// which each removes as it ends, maybe while another one starts. plaq itself starts no MPI there.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "comms/communicator/mpi_session.hpp"

namespace plaq::test {

// Make it before MPI_Init, and keep it until after MPI_Finalize. Where there is no launcher, MPI starts none
// of its daemons, and its session directory is in one of our own, which goes away at the end. Where that
// cannot be made, MPI does as ever.
class SingleProcess {
 public:
  SingleProcess() {
    if (has_launcher()) return;
    ::setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    std::error_code ignored;
    constexpr const char* variable = "OMPI_MCA_orte_tmpdir_base";
    const char* named = std::getenv(variable);
    const std::filesystem::path base = named != nullptr && *named != '\0'
                                           ? std::filesystem::path(named)
                                           : std::filesystem::temp_directory_path(ignored);
    std::string name = (base / "plaq-mpi-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) return;
    directory_ = name;
    ::setenv(variable, directory_.c_str(), 1);
  }
  ~SingleProcess() {
    std::error_code ignored;
    if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
  }
  SingleProcess(const SingleProcess&) = delete;
  SingleProcess& operator=(const SingleProcess&) = delete;

 private:
  std::string directory_;  // empty: none
};

}  // namespace plaq::test

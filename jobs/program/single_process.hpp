// A process that no launcher started, kept apart from all others.
//
// Open MPI gives every process a session directory. Those of a user's single processes are one and the same,
// which each removes as it ends, maybe while another one starts.
#pragma once

#include <string>

namespace plaq::jobs {

// Make it before MPI_Init, and keep it until after MPI_Finalize. Where there is no launcher, MPI starts none
// of its daemons, and its session directory is in one of our own, which goes away at the end. Where that
// cannot be made, MPI does as ever.
class SingleProcess {
 public:
  SingleProcess();
  ~SingleProcess();
  SingleProcess(const SingleProcess&) = delete;
  SingleProcess& operator=(const SingleProcess&) = delete;

  const std::string& directory() const { return directory_; }  // empty: none

 private:
  std::string directory_;
};

}  // namespace plaq::jobs

#include "jobs/program/single_process.hpp"

#include <cstdlib>
#include <filesystem>

#include "jobs/common/failure.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

constexpr const char* base_variable = "OMPI_MCA_orte_tmpdir_base";

fs::path base() {
  std::error_code ignored;
  const char* named = std::getenv(base_variable);
  return named != nullptr && *named != '\0' ? fs::path(named) : fs::temp_directory_path(ignored);
}

}  // namespace

SingleProcess::SingleProcess() {
  if (has_launcher()) return;
  ::setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  std::string name = (base() / "plaq-mpi-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return;
  directory_ = name;
  ::setenv(base_variable, directory_.c_str(), 1);
}

SingleProcess::~SingleProcess() {
  std::error_code ignored;
  if (!directory_.empty()) fs::remove_all(directory_, ignored);
}

}  // namespace plaq::jobs

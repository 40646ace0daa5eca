#include <cstdlib>
#include <string>

#include "comms/transport/mpi_exchange.hpp"
#include "core/system/error.hpp"
#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

namespace plaq {
namespace {

// Empty where MPI says that it takes memory of a GPU; else why it is not believed. An MPI that does not would
// read that memory as its own and crash, so that it cannot be tried.
std::string refusal() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  if (MPIX_Query_cuda_support() == 1) return {};
  return "this Open MPI was built without CUDA (MPIX_Query_cuda_support)";
#elif defined(MPICH_VERSION)
  for (const char* name : {"MPICH_GPU_SUPPORT_ENABLED", "MPIR_CVAR_ENABLE_GPU"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && std::string(value) == "1") return {};
  }
  return "MPICH was not told to take memory of a GPU (MPICH_GPU_SUPPORT_ENABLED=1, MPIR_CVAR_ENABLE_GPU=1)";
#else
  return "this MPI cannot be asked whether it takes memory of a GPU";
#endif
}

class DeviceMpiTransport final : public Transport {
 public:
  explicit DeviceMpiTransport(const ProcessGrid& grid) : grid_(&grid) {}
  std::string_view name() const override { return "device_mpi"; }
  std::unique_ptr<Exchange> prepare(const std::vector<FaceMessage>& messages) override {
    for (const FaceMessage& m : messages) check_message_bytes(m.bytes);
    return std::make_unique<MpiExchange>(*grid_, MpiExchange::Path::device, messages);
  }

 private:
  const ProcessGrid* grid_;
};

}  // namespace

std::shared_ptr<Transport> make_device_mpi_transport(const ProcessGrid& grid) {
  const std::string why =
      grid.comm().through_mpi() ? refusal() : "MPI is not started in a process that no launcher started";
  if (!why.empty()) throw Error(ErrorKind::comms, why);
  return std::make_shared<DeviceMpiTransport>(grid);
}

}  // namespace plaq

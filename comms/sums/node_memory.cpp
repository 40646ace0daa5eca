#include "comms/sums/node_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <random>
#include <string>

#include "comms/communicator/collective.hpp"

namespace plaq {
namespace {

// A name that no other has, were it left behind by a killed process or in another container.
std::string new_name() {
  std::random_device random;
  return fmt::format("/plaq-{}-{:08x}{:08x}", ::getpid(), random(), random());
}

int create(const std::string& name, std::size_t bytes) {
  const int file = ::shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
  if (file >= 0 && ::ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    ::close(file);
    ::shm_unlink(name.c_str());
    return -1;
  }
  return file;
}

}  // namespace

std::unique_ptr<NodeMemory> NodeMemory::make(const Communicator& comm, std::size_t bytes_a_rank) {
  const int rank = comm.rank(), size = comm.size();
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  auto memory = std::unique_ptr<NodeMemory>(new NodeMemory);
  memory->stride_ = (bytes_a_rank + page - 1) / page * page;
  const std::size_t bytes = memory->stride_ * static_cast<std::size_t>(size);

  if (size == 1) {
    void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    memory->base_ = static_cast<char*>(mapped);
    memory->bytes_ = bytes;
    return memory;
  }
  std::string name;
  int file = -1;
  for (int attempt = 0; rank == 0 && file < 0 && attempt < 16; ++attempt) {
    name = new_name();
    file = create(name, bytes);
    if (file < 0) name.clear();
  }
  name = broadcast(comm, name);
  if (name.empty()) return nullptr;
  if (rank != 0) file = ::shm_open(name.c_str(), O_RDWR, 0600);
  if (file >= 0) {
    // Each rank takes its own part, near its cores, and for sure: a file system without room says so now, and
    // not when the memory is touched.
    const auto mine = static_cast<off_t>(memory->stride_ * static_cast<std::size_t>(rank));
    const bool has_room = ::posix_fallocate(file, mine, static_cast<off_t>(memory->stride_)) == 0;
    void* mapped =
        !has_room ? MAP_FAILED : ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (mapped != MAP_FAILED) {
      memory->base_ = static_cast<char*>(mapped);
      memory->bytes_ = bytes;
    }
  }
  const bool everywhere = comm.all(memory->base_ != nullptr);
  if (rank == 0) ::shm_unlink(name.c_str());  // who has it mapped keeps it
  return everywhere ? std::move(memory) : nullptr;
}

NodeMemory::~NodeMemory() {
  if (base_ != nullptr) ::munmap(base_, bytes_);
}

}  // namespace plaq

#include "comms/collective.hpp"

#include <cstdint>
#include <new>
#include <optional>

#include "comms/mpi_check.hpp"
#include "core/error.hpp"
#include "core/waiting.hpp"

namespace plaq {

std::string broadcast(MPI_Comm comm, std::string text, int root) {
  const Waiting wait([root] { return "words of rank " + std::to_string(root); });
  std::uint64_t size = text.size();
  wait_mpi("MPI_Bcast", [&] { return MPI_Bcast(&size, 1, MPI_UINT64_T, root, comm); });
  text.resize(static_cast<std::size_t>(size));
  wait_mpi("MPI_Bcast", [&] { return MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, root, comm); });
  return text;
}

void all_or_none(MPI_Comm comm, const std::function<void()>& action) {
  std::optional<Error> mine;
  try {
    action();
  } catch (const Error& error) {
    mine = error;
  } catch (const std::bad_alloc&) {
    mine = Error(ErrorKind::internal, "out of memory on the host");
  } catch (const std::exception& error) {
    mine = Error(ErrorKind::internal, std::string("internal error: ") + error.what());
  }
  const Waiting wait([] { return std::string("all ranks, whether something failed on one of them"); });
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int candidate = mine ? rank : size;
  int failed = candidate;
  wait_mpi("MPI_Allreduce", [&] { return MPI_Allreduce(&candidate, &failed, 1, MPI_INT, MPI_MIN, comm); });
  if (failed == size) return;
  int kind = mine ? static_cast<int>(mine->kind()) : 0;
  wait_mpi("MPI_Bcast", [&] { return MPI_Bcast(&kind, 1, MPI_INT, failed, comm); });
  const std::string message = broadcast(comm, mine ? mine->what() : "", failed);
  throw Error(static_cast<ErrorKind>(kind), message);
}

}  // namespace plaq

#include "comms/collective.hpp"

#include <cstdint>
#include <new>
#include <optional>

#include "comms/mpi_check.hpp"
#include "core/error.hpp"

namespace plaq {

std::string broadcast(MPI_Comm comm, std::string text, int root) {
  std::uint64_t size = text.size();
  check_mpi(MPI_Bcast(&size, 1, MPI_UINT64_T, root, comm), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(size));
  check_mpi(MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, root, comm), "MPI_Bcast");
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
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int candidate = mine ? rank : size;
  int failed = candidate;
  check_mpi(MPI_Allreduce(&candidate, &failed, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  if (failed == size) return;
  int kind = mine ? static_cast<int>(mine->kind()) : 0;
  check_mpi(MPI_Bcast(&kind, 1, MPI_INT, failed, comm), "MPI_Bcast");
  const std::string message = broadcast(comm, mine ? mine->what() : "", failed);
  throw Error(static_cast<ErrorKind>(kind), message);
}

}  // namespace plaq

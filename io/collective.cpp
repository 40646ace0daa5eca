#include "io/collective.hpp"

#include <cstdint>
#include <new>
#include <optional>

#include "comms/mpi_check.hpp"
#include "core/error.hpp"

namespace plaq {

std::string broadcast(const ProcessGrid& grid, std::string text, int root) {
  std::uint64_t size = text.size();
  check_mpi(MPI_Bcast(&size, 1, MPI_UINT64_T, root, grid.comm()), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(size));
  check_mpi(MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, root, grid.comm()), "MPI_Bcast");
  return text;
}

void all_or_none(const ProcessGrid& grid, const std::function<void()>& action) {
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
  const int candidate = mine ? grid.rank() : grid.size();
  int failed = candidate;
  check_mpi(MPI_Allreduce(&candidate, &failed, 1, MPI_INT, MPI_MIN, grid.comm()), "MPI_Allreduce");
  if (failed == grid.size()) return;
  int kind = mine ? static_cast<int>(mine->kind()) : 0;
  check_mpi(MPI_Bcast(&kind, 1, MPI_INT, failed, grid.comm()), "MPI_Bcast");
  const std::string message = broadcast(grid, mine ? mine->what() : "", failed);
  throw Error(static_cast<ErrorKind>(kind), message);
}

}  // namespace plaq

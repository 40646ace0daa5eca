#include "jobs/collective_check.hpp"

#include <mpi.h>

#include <optional>
#include <string>

#include "comms/mpi_check.hpp"
#include "core/error.hpp"

namespace plaq::jobs {

void on_first_rank(const std::function<void()>& action) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::optional<Error> error;
  if (rank == 0) {
    try {
      action();
    } catch (const Error& e) {
      error = e;
    } catch (const std::exception& e) {
      error = Error(ErrorKind::internal, e.what());
    }
  }
  int head[2] = {error ? exit_code(error->kind()) : 0, error ? static_cast<int>(std::string(error->what()).size()) : 0};
  check_mpi(MPI_Bcast(head, 2, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
  if (head[0] == 0) return;
  std::string text = error ? error->what() : std::string(static_cast<std::size_t>(head[1]), ' ');
  check_mpi(MPI_Bcast(text.data(), head[1], MPI_CHAR, 0, MPI_COMM_WORLD), "MPI_Bcast");
  throw Error(static_cast<ErrorKind>(head[0]), text);
}

Extents extents_from_first_rank(const std::function<Extents()>& action) {
  Extents extents{};
  on_first_rank([&] { extents = action(); });
  check_mpi(MPI_Bcast(extents.data(), 4, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
  return extents;
}

}  // namespace plaq::jobs

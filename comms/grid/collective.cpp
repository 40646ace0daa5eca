#include "comms/grid/collective.hpp"

#include <cstdint>
#include <new>
#include <optional>
#include <utility>

#include "comms/grid/mpi_check.hpp"
#include "core/system/error.hpp"
#include "core/system/waiting.hpp"

namespace plaq {

std::string broadcast(MPI_Comm comm, std::string text, int root) {
  const Waiting wait([root] { return "words of rank " + std::to_string(root); });
  std::uint64_t size = text.size();
  wait_mpi("MPI_Bcast", [&] { return MPI_Bcast(&size, 1, MPI_UINT64_T, root, comm); });
  text.resize(static_cast<std::size_t>(size));
  wait_mpi("MPI_Bcast", [&] { return MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, root, comm); });
  return text;
}

std::vector<std::string> gather(MPI_Comm comm, const std::string& text) {
  const Waiting wait([] { return std::string("words of all ranks"); });
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const auto count = static_cast<std::size_t>(rank == 0 ? ranks : 0);
  const int size = static_cast<int>(text.size());
  std::vector<int> sizes(count), begins(count);
  wait_mpi("MPI_Gather", [&] { return MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, comm); });
  int all = 0;
  for (std::size_t r = 0; r < count; ++r) begins[r] = std::exchange(all, all + sizes[r]);
  std::string joined(static_cast<std::size_t>(all), '\0');
  wait_mpi("MPI_Gatherv", [&] {
    return MPI_Gatherv(text.data(), size, MPI_CHAR, joined.data(), sizes.data(), begins.data(), MPI_CHAR, 0,
                       comm);
  });
  std::vector<std::string> texts(count);
  for (std::size_t r = 0; r < count; ++r)
    texts[r] = joined.substr(static_cast<std::size_t>(begins[r]), static_cast<std::size_t>(sizes[r]));
  return texts;
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

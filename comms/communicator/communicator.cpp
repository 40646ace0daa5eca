#include "comms/communicator/communicator.hpp"

#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <string>

#include "comms/communicator/mpi_check.hpp"
#include "core/system/error.hpp"

namespace plaq {

bool Request::done() {
  if (request_ == MPI_REQUEST_NULL) return true;
  int ended = 0;
  check_mpi(MPI_Test(&request_, &ended, MPI_STATUS_IGNORE), "MPI_Test");
  return ended != 0;
}

namespace {

int as_int(std::size_t count) {
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw Error(ErrorKind::comms, "a message of " + std::to_string(count) + " items is too long for MPI");
  return static_cast<int>(count);
}

// MPI's type for items of so many bytes.
class ItemType {
 public:
  explicit ItemType(std::size_t bytes) : made_(bytes != 1 && bytes != 4 && bytes != 8) {
    if (!made_) {
      type_ = bytes == 1 ? MPI_BYTE : bytes == 4 ? MPI_UINT32_T : MPI_UINT64_T;
      return;
    }
    check_mpi(MPI_Type_contiguous(as_int(bytes), MPI_BYTE, &type_), "MPI_Type_contiguous");
    check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  ~ItemType() {
    if (made_) MPI_Type_free(&type_);
  }
  ItemType(const ItemType&) = delete;
  ItemType& operator=(const ItemType&) = delete;
  MPI_Datatype mpi() const { return type_; }

 private:
  bool made_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

MPI_Datatype mpi_type(NumberType type) {
  switch (type) {
    case NumberType::int32:
      return MPI_INT32_T;
    case NumberType::uint32:
      return MPI_UINT32_T;
    case NumberType::int64:
      return MPI_INT64_T;
    case NumberType::uint64:
      return MPI_UINT64_T;
    case NumberType::float32:
      return MPI_FLOAT;
    default:
      return MPI_DOUBLE;
  }
}

// Copies data of a process to itself. It counts as work, as a call of MPI does.
void copy_alone(void* to, const void* from, std::size_t bytes) {
  beat();
  if (bytes > 0 && to != from) std::memmove(to, from, bytes);
}

}  // namespace

Communicator::Communicator(MPI_Comm comm) : comm_(comm) {
  require(comm != MPI_COMM_NULL, "a communicator of MPI that is none");
  check_mpi(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
}

Communicator Communicator::of_fortran_handle(int handle) { return Communicator(MPI_Comm_f2c(handle)); }

Communicator Communicator::owned(MPI_Comm comm) {
  Communicator made(comm);
  made.owner_ = std::shared_ptr<const void>(nullptr, [comm](const void*) mutable { free_comm(comm); });
  return made;
}

MPI_Comm Communicator::mpi() const {
  require(through_mpi(), "a process alone has no communicator of MPI");
  return comm_;
}

Communicator Communicator::duplicate() const {
  if (!through_mpi()) return *this;
  MPI_Comm made = MPI_COMM_NULL;
  wait_mpi("MPI_Comm_dup", [&] { return MPI_Comm_dup(comm_, &made); });
  return owned(made);
}

Communicator Communicator::split(int color, int key) const {
  if (!through_mpi()) return *this;
  MPI_Comm made = MPI_COMM_NULL;
  wait_mpi("MPI_Comm_split", [&] { return MPI_Comm_split(comm_, color, key, &made); });
  return owned(made);
}

std::optional<Communicator> Communicator::part(bool mine, int key) const {
  if (!through_mpi()) return mine ? std::optional(*this) : std::nullopt;
  MPI_Comm made = MPI_COMM_NULL;
  wait_mpi("MPI_Comm_split", [&] { return MPI_Comm_split(comm_, mine ? 0 : MPI_UNDEFINED, key, &made); });
  return mine ? std::optional(owned(made)) : std::nullopt;
}

Communicator Communicator::split_by_node() const {
  if (!through_mpi()) return *this;
  MPI_Comm made = MPI_COMM_NULL;
  wait_mpi("MPI_Comm_split_type",
           [&] { return MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made); });
  return owned(made);
}

void Communicator::barrier() const {
  if (!through_mpi()) return beat();
  wait_mpi("MPI_Barrier", [&] { return MPI_Barrier(comm_); });
}

void Communicator::broadcast_items(void* items, std::size_t count, std::size_t item_bytes, int root) const {
  if (!through_mpi()) return beat();
  const ItemType type(item_bytes);
  wait_mpi("MPI_Bcast", [&] { return MPI_Bcast(items, as_int(count), type.mpi(), root, comm_); });
}

void Communicator::reduce(void* values, std::size_t count, NumberType type, Reduction reduction) const {
  if (!through_mpi()) return beat();
  const MPI_Op op = reduction == Reduction::sum   ? MPI_SUM
                    : reduction == Reduction::min ? MPI_MIN
                    : reduction == Reduction::max ? MPI_MAX
                                                  : MPI_BXOR;
  wait_mpi("MPI_Allreduce",
           [&] { return MPI_Allreduce(MPI_IN_PLACE, values, as_int(count), mpi_type(type), op, comm_); });
}

void Communicator::all_gather_items(const void* mine, void* all, std::size_t count,
                                    std::size_t item_bytes) const {
  if (!through_mpi()) return copy_alone(all, mine, count * item_bytes);
  const ItemType type(item_bytes);
  const int n = as_int(count);
  wait_mpi("MPI_Allgather", [&] { return MPI_Allgather(mine, n, type.mpi(), all, n, type.mpi(), comm_); });
}

std::size_t Communicator::total(std::span<const int> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0},
                         [](std::size_t sum, int count) { return sum + static_cast<std::size_t>(count); });
}

void Communicator::gather_items(const void* mine, std::size_t count, void* all, std::span<const int> counts,
                                std::size_t item_bytes, int root) const {
  if (!through_mpi()) return copy_alone(all, mine, count * item_bytes);
  const ItemType type(item_bytes);
  std::vector<int> starts;
  if (rank_ == root) {
    require(counts.size() == static_cast<std::size_t>(size_), "what is gathered needs a count of each rank");
    (void)as_int(total(counts));
    starts.resize(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  }
  wait_mpi("MPI_Gatherv", [&] {
    return MPI_Gatherv(mine, as_int(count), type.mpi(), all, counts.data(), starts.data(), type.mpi(), root,
                       comm_);
  });
}

void Communicator::all_to_all_items(const void* from, const Shares& out, void* to, const Shares& in,
                                    std::size_t item_bytes) const {
  if (!through_mpi()) {
    const auto bytes = [&](int items) { return static_cast<std::size_t>(items) * item_bytes; };
    require(out.counts[0] == in.counts[0], "a process alone gets what it sends");
    return copy_alone(static_cast<std::byte*>(to) + bytes(in.starts[0]),
                      static_cast<const std::byte*>(from) + bytes(out.starts[0]), bytes(out.counts[0]));
  }
  const ItemType type(item_bytes);
  wait_mpi("MPI_Alltoallv", [&] {
    return MPI_Alltoallv(from, out.counts.data(), out.starts.data(), type.mpi(), to, in.counts.data(),
                         in.starts.data(), type.mpi(), comm_);
  });
}

void Communicator::send_items(const void* items, std::size_t count, std::size_t item_bytes, int to, int tag,
                              const Awaited& awaited) const {
  const MPI_Comm comm = mpi();
  const ItemType type(item_bytes);
  wait_mpi(
      "MPI_Send", [&] { return MPI_Send(items, as_int(count), type.mpi(), to, tag, comm); }, awaited);
}

void Communicator::receive_items(void* items, std::size_t count, std::size_t item_bytes, int from, int tag,
                                 const Awaited& awaited) const {
  const MPI_Comm comm = mpi();
  const ItemType type(item_bytes);
  wait_mpi(
      "MPI_Recv",
      [&] { return MPI_Recv(items, as_int(count), type.mpi(), from, tag, comm, MPI_STATUS_IGNORE); },
      awaited);
}

void Communicator::exchange_items(const void* sent, int to, void* received, int from, std::size_t count,
                                  std::size_t item_bytes, int tag, const Awaited& awaited) const {
  if (!through_mpi()) return copy_alone(received, sent, count * item_bytes);
  const ItemType type(item_bytes);
  const int n = as_int(count);
  wait_mpi(
      "MPI_Sendrecv",
      [&] {
        return MPI_Sendrecv(sent, n, type.mpi(), to, tag, received, n, type.mpi(), from, tag, comm_,
                            MPI_STATUS_IGNORE);
      },
      awaited);
}

Request Communicator::start_barrier() const {
  if (!through_mpi()) return {};
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(comm_, &request), "MPI_Ibarrier");
  return Request(request);
}

Request Communicator::start_all_gather_items(const void* mine, void* all, std::size_t count,
                                             std::size_t item_bytes) const {
  if (!through_mpi()) return copy_alone(all, mine, count * item_bytes), Request();
  const ItemType type(item_bytes);
  const int n = as_int(count);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallgather(mine, n, type.mpi(), all, n, type.mpi(), comm_, &request), "MPI_Iallgather");
  return Request(request);
}

Request Communicator::start_receive_items(void* items, std::size_t count, std::size_t item_bytes, int from,
                                          int tag) const {
  const MPI_Comm comm = mpi();
  const ItemType type(item_bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(items, as_int(count), type.mpi(), from, tag, comm, &request), "MPI_Irecv");
  return Request(request);
}

void Communicator::progress() const {
  if (!through_mpi()) return;
  int ignored = 0;
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &ignored, MPI_STATUS_IGNORE), "MPI_Iprobe");
}

}  // namespace plaq

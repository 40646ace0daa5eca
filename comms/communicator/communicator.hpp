// Ranks that work together, and what they tell each other.
//
// A process that no launcher started is alone: it tells itself, by copies in memory, and never calls MPI,
// which need not have started. All others talk through MPI. Whoever calls sees no difference.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace plaq {

// Something that MPI does while this rank goes on.
class Request {
 public:
  Request() = default;  // done
  explicit Request(MPI_Request request) : request_(request) {}
  Request(Request&& other) noexcept : request_(std::exchange(other.request_, MPI_REQUEST_NULL)) {}
  Request& operator=(Request&& other) noexcept {
    std::swap(request_, other.request_);
    return *this;
  }
  // Whoever gives up before it is done ends the program: nothing is cancelled.
  ~Request() = default;

  // True if it has ended; asked again and again in a loop, that is a wait, and says so itself (Waiting).
  bool done();

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

// Types that may travel as their bytes: their values do not point to other memory.
template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t n>
inline constexpr bool is_span<std::span<T, n>> = true;
template <class T>
concept Message = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !is_span<T>;

// Types of numbers that ranks add up and compare in reductions.
enum class NumberType { int32, uint32, int64, uint64, float32, float64 };
template <class T>
concept Reducible = (std::is_integral_v<T> || std::is_floating_point_v<T>)&&(sizeof(T) == 4 ||
                                                                             sizeof(T) == 8);
template <Reducible T>
constexpr NumberType number_type() {
  if (std::is_floating_point_v<T>) return sizeof(T) == 4 ? NumberType::float32 : NumberType::float64;
  if (std::is_signed_v<T>) return sizeof(T) == 4 ? NumberType::int32 : NumberType::int64;
  return sizeof(T) == 4 ? NumberType::uint32 : NumberType::uint64;
}

// A value: copies are the same communicator. All calls are collective over its ranks unless they say
// otherwise, a watchdog sees each wait (comms/communicator/mpi_check.hpp), and each throws Error(comms) where
// MPI fails or where a message has more items than MPI counts, 2^31 - 1. Roots and tags are as MPI has them.
class Communicator {
 public:
  Communicator() = default;  // this process alone
  static Communicator alone() { return {}; }
  // MPI's, of whoever calls: to be given back by them, and not before the last copy is gone. Not collective.
  Communicator(MPI_Comm comm);  // NOLINT(google-explicit-constructor)
  // Communicator with this handle of Fortran, the integer that MPI gives to other languages.
  static Communicator of_fortran_handle(int handle);

  int rank() const { return rank_; }
  int size() const { return size_; }
  // False: there is no MPI behind it.
  bool through_mpi() const { return comm_ != MPI_COMM_NULL; }
  // For what calls MPI itself, which a process alone never does. Throws an internal Error there.
  MPI_Comm mpi() const;

  // New ones, given back to MPI with their last copies, which is collective.
  Communicator duplicate() const;
  // Communicator of the ranks that give the same `color`, at least 0, in the order of `key` and then of rank.
  Communicator split(int color, int key) const;
  // Communicator of the ranks that say `mine`, in the order of `key` and then of rank; none for the others.
  std::optional<Communicator> part(bool mine, int key = 0) const;
  Communicator split_by_node() const;  // of those that can share memory

  void barrier() const;

  // Copies the values of rank `root` to all ranks.
  template <Message T, std::size_t n>
  void broadcast(std::span<T, n> values, int root = 0) const {
    broadcast_items(values.data(), values.size(), sizeof(T), root);
  }
  template <Message T>
  T broadcast(T value, int root = 0) const {
    broadcast_items(&value, 1, sizeof(T), root);
    return value;
  }

  // Over all ranks, number by number, in place. The order in which MPI adds is its own: sums of
  // floating-point numbers that must not depend on it are exact ones (comms/sums).
  template <Reducible T, std::size_t n>
  void sum(std::span<T, n> values) const {
    reduce(values.data(), values.size(), number_type<T>(), Reduction::sum);
  }
  template <Reducible T, std::size_t n>
  void min(std::span<T, n> values) const {
    reduce(values.data(), values.size(), number_type<T>(), Reduction::min);
  }
  template <Reducible T, std::size_t n>
  void max(std::span<T, n> values) const {
    reduce(values.data(), values.size(), number_type<T>(), Reduction::max);
  }
  template <Reducible T, std::size_t n>
  requires std::is_integral_v<T>
  void exclusive_or(std::span<T, n> values) const {
    reduce(values.data(), values.size(), number_type<T>(), Reduction::exclusive_or);
  }
  // Reduces one number.
  template <Reducible T>
  T sum(T value) const {
    return sum(std::span(&value, 1)), value;
  }
  template <Reducible T>
  T min(T value) const {
    return min(std::span(&value, 1)), value;
  }
  template <Reducible T>
  T max(T value) const {
    return max(std::span(&value, 1)), value;
  }
  // True if it is so on all ranks, on any.
  bool all(bool mine) const { return min(mine ? 1 : 0) != 0; }
  bool any(bool mine) const { return max(mine ? 1 : 0) != 0; }

  // One of each rank, in their order, on all of them.
  template <Message T>
  std::vector<T> all_gather(const T& mine) const {
    std::vector<T> all(static_cast<std::size_t>(size_));
    all_gather_items(&mine, all.data(), 1, sizeof(T));
    return all;
  }
  // On `root` what each rank has, one after the other, `counts[r]` items of rank r; nothing elsewhere, where
  // `counts` is not read.
  template <Message T, std::size_t n>
  std::vector<std::remove_const_t<T>> gather(std::span<T, n> mine, std::span<const int> counts,
                                             int root = 0) const {
    std::vector<std::remove_const_t<T>> all(rank_ == root ? total(counts) : 0);
    gather_items(mine.data(), mine.size(), all.data(), counts, sizeof(T), root);
    return all;
  }

  // Items that this rank has for each rank, or gets from it: counts[r] of them, from starts[r] on.
  struct Shares {
    std::span<const int> counts, starts;
  };
  template <Message T>
  void all_to_all(const T* from, const Shares& out, T* to, const Shares& in) const {
    all_to_all_items(from, out, to, in, sizeof(T));
  }
  // Items of any size, in bytes.
  void all_to_all_items(const void* from, const Shares& out, void* to, const Shares& in,
                        std::size_t item_bytes) const;

  // Between two ranks. `awaited`: for what it waits, as of Waiting. A process alone sends nothing, and
  // exchanges with itself.
  using Awaited = std::function<std::string()>;
  template <Message T, std::size_t n>
  void send(std::span<T, n> values, int to, int tag, const Awaited& awaited) const {
    send_items(values.data(), values.size(), sizeof(T), to, tag, awaited);
  }
  template <Message T, std::size_t n>
  void receive(std::span<T, n> values, int from, int tag, const Awaited& awaited) const {
    receive_items(values.data(), values.size(), sizeof(T), from, tag, awaited);
  }
  // Both at once, of equal length.
  template <Message T>
  void exchange(const std::vector<T>& sent, int to, std::vector<T>& received, int from, int tag,
                const Awaited& awaited) const {
    exchange_items(sent.data(), to, received.data(), from, sent.size(), sizeof(T), tag, awaited);
  }

  // Operations that run while this rank does something else. Their memory must stay until they are done.
  Request start_barrier() const;
  template <Message T, std::size_t n>
  Request start_all_gather(std::span<T, n> mine, std::span<std::remove_const_t<T>> all) const {
    return start_all_gather_items(mine.data(), all.data(), mine.size(), sizeof(T));
  }
  template <Message T, std::size_t n>
  Request start_receive(std::span<T, n> values, int from, int tag) const {
    return start_receive_items(values.data(), values.size(), sizeof(T), from, tag);
  }
  // Lets MPI move messages of others that need this rank's help. Not collective; returns at once.
  void progress() const;

 private:
  enum class Reduction { sum, min, max, exclusive_or };

  static Communicator owned(MPI_Comm comm);
  static std::size_t total(std::span<const int> counts);

  void broadcast_items(void* items, std::size_t count, std::size_t item_bytes, int root) const;
  void reduce(void* values, std::size_t count, NumberType type, Reduction reduction) const;
  void all_gather_items(const void* mine, void* all, std::size_t count, std::size_t item_bytes) const;
  void gather_items(const void* mine, std::size_t count, void* all, std::span<const int> counts,
                    std::size_t item_bytes, int root) const;
  void send_items(const void* items, std::size_t count, std::size_t item_bytes, int to, int tag,
                  const Awaited& awaited) const;
  void receive_items(void* items, std::size_t count, std::size_t item_bytes, int from, int tag,
                     const Awaited& awaited) const;
  void exchange_items(const void* sent, int to, void* received, int from, std::size_t count,
                      std::size_t item_bytes, int tag, const Awaited& awaited) const;
  Request start_all_gather_items(const void* mine, void* all, std::size_t count,
                                 std::size_t item_bytes) const;
  Request start_receive_items(void* items, std::size_t count, std::size_t item_bytes, int from,
                              int tag) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::shared_ptr<const void> owner_;  // gives comm_ back; null where that is somebody else's
};

}  // namespace plaq

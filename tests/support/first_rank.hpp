// Slow results that are the same on all ranks of a test are computed on the first rank alone: ranks share
// cores.
#pragma once

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "comms/communicator/collective.hpp"
#include "tests/support/world.hpp"

namespace plaq::test {
namespace detail {

inline void put(std::string& bytes, const void* from, std::size_t size) {
  bytes.append(static_cast<const char*>(from), size);
}
template <class T>
constexpr bool is_plain_vector = false;
template <class T>
constexpr bool is_plain_vector<std::vector<T>> = std::is_trivially_copyable_v<T>;

template <class T>
void put_value(std::string& bytes, const T& value) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    put(bytes, &value, sizeof(T));
  } else {  // a container
    const auto count = static_cast<std::uint64_t>(value.size());
    put(bytes, &count, sizeof(count));
    if constexpr (is_plain_vector<T>)
      put(bytes, value.data(), count * sizeof(value[0]));
    else
      for (const auto& each : value) put_value(bytes, each);
  }
}

inline void get(const std::string& bytes, std::size_t& at, void* to, std::size_t size) {
  std::memcpy(to, bytes.data() + at, size);
  at += size;
}
template <class T>
void get_value(const std::string& bytes, std::size_t& at, T& value) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    get(bytes, at, &value, sizeof(T));
  } else {
    std::uint64_t count = 0;
    get(bytes, at, &count, sizeof(count));
    if constexpr (requires { value.resize(count); }) value.resize(static_cast<std::size_t>(count));
    if constexpr (is_plain_vector<T>)
      get(bytes, at, value.data(), count * sizeof(value[0]));
    else
      for (auto& each : value) get_value(bytes, at, each);
  }
}

// Waits for all ranks without taking the cores of those that still compute.
struct Gathering {
  ~Gathering() {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int all = 0;;) {
      MPI_Test(&request, &all, MPI_STATUS_IGNORE);
      if (all != 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
};

}  // namespace detail

// make() of the first rank: a plain value, or vectors and arrays of such. Collective;
// what it throws, all ranks throw.
template <class Make>
auto from_first_rank(const Make& make) {
  using Value = std::decay_t<decltype(make())>;
  Value value{};
  std::string bytes;
  all_or_none(MPI_COMM_WORLD, [&] {
    const detail::Gathering at_the_end;
    if (world_rank() != 0) return;
    value = make();
    if (world_size() > 1) detail::put_value(bytes, value);
  });
  if (world_size() == 1) return value;
  bytes = broadcast(MPI_COMM_WORLD, std::move(bytes));
  std::size_t at = 0;
  if (world_rank() != 0) detail::get_value(bytes, at, value);
  return value;
}

}  // namespace plaq::test

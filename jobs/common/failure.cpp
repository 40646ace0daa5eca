#include "jobs/common/failure.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <new>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "comms/communicator/mpi_session.hpp"
#include "comms/communicator/world.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"

namespace plaq::jobs {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 3s;           // for the other ranks
constexpr auto patience_a_rank = 50ms;  // so that of several failing ranks the lowest speaks first
constexpr int most_waits = 40;

std::uint64_t fingerprint(const std::string& text) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

Failure current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {exit_code(error.kind()), error.what()};
  } catch (const std::bad_alloc&) {
    return {exit_code(ErrorKind::internal), "out of memory on the host"};
  } catch (const std::exception& error) {
    return {exit_code(ErrorKind::internal), std::string("internal error: ") + error.what()};
  } catch (...) {
    return {exit_code(ErrorKind::internal), "internal error: unknown exception"};
  }
}

FailureReporter::FailureReporter() : ranks_(world().duplicate()) {}

int FailureReporter::report(const Failure& failure) {
  const int rank = ranks_.rank();
  const std::uint64_t mine[2] = {fingerprint(failure.message), static_cast<std::uint64_t>(failure.code)};
  std::vector<std::uint64_t> all(2 * static_cast<std::size_t>(ranks_.size()));
  Request request = ranks_.start_all_gather(std::span(mine), all);
  const auto end = std::chrono::steady_clock::now() + patience + patience_a_rank * std::min(rank, most_waits);
  while (!request.done()) {
    if (std::chrono::steady_clock::now() > end) {
      log::error_here(failure.message);
      abort_all_ranks(failure.code);
    }
    std::this_thread::sleep_for(1ms);
  }
  bool first = true, same_everywhere = true;
  std::uint64_t code = 0;
  for (std::size_t r = 0; r < all.size() / 2; ++r) {
    const bool same = all[2 * r] == mine[0];
    first = first && !(same && r < static_cast<std::size_t>(rank));
    same_everywhere = same_everywhere && same;
    if (r == 0) code = all[1];
  }
  if (first) same_everywhere ? log::error(failure.message) : log::error_here(failure.message);
  return static_cast<int>(code);
}

}  // namespace plaq::jobs

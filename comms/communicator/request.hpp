// Something that MPI does while this rank goes on.
#pragma once

#include <mpi.h>

#include <utility>

namespace plaq {

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

}  // namespace plaq

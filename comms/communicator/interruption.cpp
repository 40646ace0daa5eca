#include "comms/communicator/interruption.hpp"

#include <utility>

namespace plaq {
namespace {

thread_local InterruptibleWork* innermost = nullptr;

}  // namespace

InterruptibleWork::InterruptibleWork(Ask ask)
    : ask_(std::move(ask)), outer_(std::exchange(innermost, this)) {}

InterruptibleWork::~InterruptibleWork() { innermost = outer_; }

void interruption_point(const Communicator& ranks) {
  if (innermost != nullptr) innermost->ask_(ranks);
}

}  // namespace plaq

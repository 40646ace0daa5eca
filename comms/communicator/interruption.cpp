#include "comms/communicator/interruption.hpp"

#include <utility>

namespace plaq {
namespace {

thread_local InterruptibleWork* innermost_work = nullptr;

}  // namespace

InterruptibleWork::InterruptibleWork(Ask ask)
    : ask_(std::move(ask)), outer_(std::exchange(innermost_work, this)) {}

InterruptibleWork::~InterruptibleWork() { innermost_work = outer_; }

void interruption_point(const Communicator& ranks) {
  if (innermost_work != nullptr) innermost_work->ask_(ranks);
}

}  // namespace plaq

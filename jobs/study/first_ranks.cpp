#include "jobs/study/study.hpp"

#include <exception>
#include <optional>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/heartbeat.hpp"
#include "comms/communicator/world.hpp"

namespace plaq::jobs {

void on_first_ranks(const Communicator& all, int count,
                    const std::function<void(const Communicator&)>& action) {
  auto first = all.part(all.rank() < count);
  Heartbeat heartbeat(all);
  std::exception_ptr failure;
  if (first) {
    try {
      std::optional<WorldPart> part;
      if (count < all.size()) part.emplace(*first);
      action(*first);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  heartbeat.meet(failure);
  first.reset();
  all_or_none(all, [&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace plaq::jobs

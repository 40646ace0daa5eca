#include "jobs/bench/host_costs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

#include "comms/transport/transport_choice.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/memory.hpp"
#include "core/system/waiting.hpp"
#include "jobs/bench/known_exchange.hpp"
#include "jobs/bench/network_launch.hpp"
#include "jobs/rates/random_fields.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq::jobs {
namespace {

constexpr std::uint32_t t_is_split = 1u << 3;

// The hopping term on sites of this rank alone.
class OwnHop {
 public:
  OwnHop(const Extents& extents, std::uint32_t forced, Precision precision)
      : grid_(Communicator::alone(), {1, 1, 1, 1}),
        problem_{grid_, random_gauge(grid_.geometry(extents, forced), 11), Queue(Location::host),
                 make_transport(grid_, Location::host, TransportKind::self)},
        action_(make_rated_action(problem_, wilson_action({}))),
        hop_(action_->hop({precision, reals}, 1)) {}
  static constexpr int reals = 18;
  void apply() { hop_->apply(); }

 private:
  ProcessGrid grid_;
  RateProblem problem_;
  std::unique_ptr<RatedAction> action_;
  std::unique_ptr<RatedApplication> hop_;
};

// Collective. The first rank measures, while the others leave it the processor.
void by_first_rank(const Communicator& ranks, const std::function<void()>& action) {
  if (ranks.rank() == 0) action();
  Request all_here = ranks.start_barrier();
  const Waiting wait([] { return std::string("the first rank, which measures alone"); });
  while (!all_here.done()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

// Microseconds, of this rank alone.
double time_alone(const Bench& bench, OwnHop& hop) {
  return measure(Communicator::alone(), Queue(Location::host), bench.asked.samples,
                 [&](const Queue&) { hop.apply(); })
      .median;
}

}  // namespace

double HiddenExchange::hidden() const {
  const double saved = exchange.median + work.median - both.median;
  return std::clamp(saved / std::min(exchange.median, work.median), 0.0, 1.0);
}

HiddenExchange hidden_exchange(const Bench& bench, const ProcessGrid& grid, Transport& transport,
                               const ExchangeRing& ring, std::size_t message_bytes) {
  HiddenExchange found;
  found.message_bytes = message_bytes;
  const Queue queue(Location::host);
  KnownExchange exchange(grid, Location::host, transport, ring_messages(ring, 2, message_bytes));
  const Buffer own(Location::host, message_bytes);
  FaceFill fill;
  fill.faces = 1;
  fill.words = static_cast<int>(message_bytes / sizeof(FaceWord));
  fill.face[0] = own.as<FaceWord>();
  int times = 1;
  const auto work = [&] {
    dispatch(Location::host, Precision::single_precision, [&](auto kind) {
      for (int i = 0; i < times; ++i) launch_fill_faces<typename decltype(kind)::target>(fill, queue);
    });
  };
  found.exchange = bench.time(queue, [&](const Queue& q) { exchange.run(q); });
  const double once = bench.time(queue, [&](const Queue&) { work(); }).median;
  times = std::max(1, static_cast<int>(std::lround(found.exchange.median / std::max(once, 1e-3))));
  times = grid.comm().max(times);
  found.work = bench.time(queue, [&](const Queue&) { work(); });
  found.both = bench.time(queue, [&](const Queue& q) { exchange.run(q, work); });
  return found;
}

std::vector<FaceTime> face_times(const Bench& bench) {
  std::vector<FaceTime> all;
  for (const Precision precision :
       {Precision::double_precision, Precision::single_precision, Precision::half_precision})
    for (const Extents& extents : {Extents{4, 4, 4, 8}, Extents{8, 8, 8, 8}}) {
      FaceTime found;
      found.precision = precision;
      // Two slices of one parity. Filling the two faces of a slice reads two vectors, and links for one side.
      found.sites = extents[0] * extents[1] * extents[2];
      constexpr double vector_reals = 24;
      found.packed_bytes = 0.5 * found.sites * (2 * vector_reals + OwnHop::reals) * bytes_of(precision);
      by_first_rank(bench.grid().comm(), [&] {
        OwnHop with(extents, t_is_split, precision), without(extents, 0, precision);
        found.with = time_alone(bench, with);
        found.without = time_alone(bench, without);
      });
      found.with = bench.grid().comm().broadcast(found.with);
      found.without = bench.grid().comm().broadcast(found.without);
      all.push_back(found);
    }
  return all;
}

// Long enough that ranks which take turns have had many.
Crowding crowding(const Bench& bench) {
  const double microseconds = 1e5 * (bench.asked.samples > 0 ? bench.asked.samples : 5);
  const Communicator& ranks = bench.grid().comm();
  Crowding found;
  OwnHop hop({8, 8, 8, 8}, 0, Precision::double_precision);
  by_first_rank(ranks, [&] { found.alone = time_alone(bench, hop); });
  found.alone = ranks.broadcast(found.alone);
  const int times = std::max(1, static_cast<int>(microseconds / std::max(found.alone, 1e-3)));
  const auto work = [&] {
    for (int i = 0; i < times; ++i) hop.apply();
  };
  found.together = 1e6 * slowest_seconds(ranks, Queue(Location::host), work) / times;
  return found;
}

}  // namespace plaq::jobs

// Messages between ranks, and waits: constants of the model of jobs/model. Rows, by name:
//   exchange   all faces of an exchange at once, with `faces` of `message_bytes` each; from the launch of the
//              kernel that fills them until what came is there. `where`: "itself", "within a node", "between
//              nodes"
//   link       constants fitted to all exchanges of a transport (`faces` 0) or to those of so many faces
//   launch, launch_few_sites, synchronize     a kernel that does nothing, over 32 sites, over 16384;
//              the first one with a wait for it
//   sum_wait   a norm over a small lattice that the host waits for
//   global_sum `sums` exact sums over the first `ranks` ranks
//   gpu_sum    `sums` exact sums of all ranks that GPUs add up among themselves by a transport
//   copy_to_device, copy_from_device          `bytes` of page-locked memory
// On hosts also (host_costs.hpp):
//   overlap    an exchange behind work of its length, and the share of it that the work hides
//   faces      what a hopping term takes longer with faces, of which `sites` have neighbours
//   crowding   a hopping term on all ranks at once, over that of one alone: `factor`
// After its last round, every exchange that is timed is compared byte by byte.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/node_map.hpp"
#include "comms/sums/sum_exchange.hpp"
#include "comms/transport/transport_choice.hpp"
#include "comms/transport/transport_trials.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "core/system/memory.hpp"
#include "jobs/bench/exchange_rings.hpp"
#include "jobs/bench/host_costs.hpp"
#include "jobs/bench/known_exchange.hpp"
#include "jobs/bench/network_launch.hpp"
#include "jobs/bench/targets.hpp"
#include "jobs/model/link_fit.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq::jobs {
namespace {

constexpr int most_sums = 6;
constexpr int few_sites = 32, more_sites = 1 << 14;
constexpr std::array<int, 5> face_counts = {1, 2, 4, 6, 8};
constexpr std::size_t least_bytes = 64, step = 4, hidden_bytes = 1 << 16;
constexpr double long_exchange = 0.1;  // seconds, after which no larger one is measured

class NetworkBench {
 public:
  NetworkBench(Bench& bench, std::size_t most_bytes)
      : bench_(bench),
        most_bytes_(most_bytes),
        grid_(bench.grid().comm(), {1, 1, 1, bench.grid().size()}),
        queue_(bench.location()) {}

  void run() {
    exchanges();
    launches();
    sums();
    if (queue_.location() == Location::device)
      copies();
    else
      host_costs();
  }

 private:
  using Numbers = std::vector<std::pair<std::string, double>>;

  void add(const char* name, const Samples& samples, const Numbers& numbers,
           const std::string& check = "none needed", std::string_view transport = {},
           std::string_view where = {}) {
    Row& row = bench_.add(name, {Precision::double_precision, 0}, 1, samples, {}, check);
    row.storage.clear();
    row.transport = transport;
    row.where = where;
    row.numbers = numbers;
  }
  void time(const char* name, const Numbers& numbers, const auto& apply) {
    add(name, bench_.time(queue_, apply), numbers);
  }

  // Measures the transports that can be used, or the one that was asked for.
  void exchanges() {
    const TransportKind wanted = bench_.asked.transport;
    const std::size_t kinds = queue_.location() == Location::device
                                  ? std::size(transport_names)
                                  : static_cast<std::size_t>(TransportKind::host) + 1;
    for (std::size_t i = 1; i < std::size(transport_names); ++i) {
      const auto kind = static_cast<TransportKind>(i);
      if (wanted == TransportKind::automatic ? i >= kinds : kind != wanted) continue;
      try {
        const auto transport = make_transport(grid_, queue_.location(), kind);
        const std::string fault = transport_fault(grid_, queue_.location(), *transport, test_message_bytes());
        if (!fault.empty()) throw Error(ErrorKind::comms, fault);
        for (const ExchangeRing& ring : exchange_rings(nodes_of(grid_.comm()), grid_.rank()))
          if (kind != TransportKind::peer || ring.where != ExchangeRing::between_nodes)
            exchanges_of(*transport, ring);
        if (const auto gpus = transport->make_sums()) sums_of(*gpus, *transport);
      } catch (const Error& e) {
        if (e.kind() != ErrorKind::comms || wanted != TransportKind::automatic) throw;
        add("refused", {}, {{"used", 0}}, e.what(), transport_names[i]);
      }
    }
  }

  void sums_of(GpuSums& gpus, const Transport& transport) {
    if (!sums_are_right(gpus, grid_.comm(), queue_))
      throw Error(ErrorKind::internal, fmt::format("{}: wrong sums of GPUs", transport.name()));
    SumBuffer sums(Location::device, most_sums);
    sums.clear(queue_, most_sums);
    const Buffer totals(Location::device, most_sums * sizeof(double));
    for (int count = 1; count <= most_sums; ++count) {
      const Samples samples =
          bench_.time(queue_, [&](const Queue& q) { gpus.total(sums, count, totals.as<double>(), q); });
      add("gpu_sum", samples, {{"ranks", grid_.size()}, {"sums", count}}, "numbers of five sizes",
          transport.name());
    }
  }

  void exchanges_of(Transport& transport, const ExchangeRing& ring) {
    std::vector<ExchangeSample> all;
    for (const int faces : face_counts) {
      std::vector<ExchangeSample> samples;
      for (std::size_t bytes = least_bytes; bytes <= most_bytes_; bytes *= step) {
        KnownExchange exchange(grid_, queue_.location(), transport, ring_messages(ring, faces, bytes));
        const Samples s = bench_.time(queue_, [&](const Queue& q) { exchange.run(q); });
        all_or_none(grid_.comm(), [&] {
          if (const std::string fault = exchange.fault(queue_); !fault.empty())
            throw Error(ErrorKind::internal, fmt::format("{}: {}", transport.name(), fault));
        });
        add("exchange", s, {{"faces", faces}, {"message_bytes", static_cast<double>(bytes)}}, "every byte",
            transport.name(), ring.where);
        samples.push_back({faces, static_cast<double>(bytes) * faces, 1e-6 * s.median});
        if (bytes > hidden_bytes && 1e-6 * s.median > long_exchange) break;  // the same on all ranks
      }
      add_link(samples, transport, ring, faces);
      all.insert(all.end(), samples.begin(), samples.end());
    }
    add_link(all, transport, ring, 0);
    if (queue_.location() == Location::host) overlap(transport, ring);
  }

  void overlap(Transport& transport, const ExchangeRing& ring) {
    const HiddenExchange found =
        hidden_exchange(bench_, grid_, transport, ring, std::min(hidden_bytes, most_bytes_));
    add("overlap", found.both,
        {{"faces", 2},
         {"message_bytes", static_cast<double>(found.message_bytes)},
         {"exchange_seconds", 1e-6 * found.exchange.median},
         {"work_seconds", 1e-6 * found.work.median},
         {"hidden", found.hidden()}},
        "none needed", transport.name(), ring.where);
  }

  void host_costs() {
    const auto one = [](double microseconds) { return Samples{microseconds, microseconds, microseconds, 1}; };
    for (const FaceTime& face : face_times(bench_)) {
      Row& row = bench_.add("faces", {face.precision, 0}, 1, one(std::max(0.0, face.with - face.without)), {},
                            "none needed");
      row.storage = name_of(face.precision);
      row.bytes = face.packed_bytes;
      row.numbers = {{"sites", face.sites},
                     {"with_seconds", 1e-6 * face.with},
                     {"without_seconds", 1e-6 * face.without}};
    }
    const Crowding crowd = crowding(bench_);
    add("crowding", one(crowd.together),
        {{"alone_seconds", 1e-6 * crowd.alone}, {"factor", crowd.together / crowd.alone}});
  }

  void add_link(const std::vector<ExchangeSample>& samples, const Transport& transport,
                const ExchangeRing& ring, int faces) {
    const LinkFit fit = fit_link(samples);
    Samples s;
    s.count = static_cast<int>(samples.size());
    const Numbers numbers = {{"faces", faces},
                             {"latency_seconds", fit.link.latency},
                             {"message_seconds", fit.link.message},
                             {"bytes_per_second", fit.link.bandwidth},
                             {"mean_relative_error", fit.mean_square},
                             {"worst_relative_error", fit.worst}};
    add("link", s, numbers, "none needed", transport.name(), ring.where);
  }

  void launches() {
    dispatch(queue_.location(), Precision::single_precision, [&](auto kind) {
      using Target = typename decltype(kind)::target;
      time("launch", {{"sites", few_sites}}, [](const Queue& q) { launch_nothing<Target>(few_sites, q); });
      time("launch_few_sites", {{"sites", more_sites}},
           [](const Queue& q) { launch_nothing<Target>(more_sites, q); });
      time("synchronize", {{"sites", few_sites}}, [](const Queue& q) {
        launch_nothing<Target>(few_sites, q);
        q.synchronize();
      });
    });
  }

  void sums() {
    const auto small = Geometry::create({{8, 4, 4, 6}});
    const Field v = random_spinor(small, Subset::even, 1, Precision::single_precision, queue_.location(), 50);
    blas::Workspace work(queue_, 1);
    const std::vector<blas::Coefficients> one(1);
    const ProcessGrid self(Communicator::alone(), {1, 1, 1, 1});
    time("sum_wait", {{"ranks", 1}}, [&](const Queue&) {
      blas::update_and_add<blas::Norm>(work, one, {&v});
      self.sums().take(work.sums(), work.release_sums(), queue_);
    });
    for (int ranks = 1; ranks < 2 * grid_.size(); ranks *= 2) sums_over(std::min(ranks, grid_.size()));
  }

  // Collective over all ranks, of which the first so many add something up.
  void sums_over(int ranks) {
    const bool mine = grid_.rank() < ranks;
    const auto some = grid_.comm().part(mine);
    int nodes = 0;
    std::unique_ptr<ProcessGrid> first;
    if (mine) {
      first = std::make_unique<ProcessGrid>(*some, Extents{1, 1, 1, ranks});
      const auto all = nodes_of(*some);
      for (int r = 0; r < ranks; ++r) nodes += all[static_cast<std::size_t>(r)] == r ? 1 : 0;
    }
    for (int count = 1; count <= most_sums; ++count) {
      std::vector<ExactSum> values(static_cast<std::size_t>(count));
      for (auto& value : values) value.add(1.0 / (1 + grid_.rank()));
      time("global_sum", {{"ranks", ranks}, {"nodes", nodes}, {"sums", count}}, [&](const Queue&) {
        auto sums = values;
        if (mine) (void)global_sums(*first, sums);
      });
    }
  }

  void copies() {
    for (std::size_t bytes = least_bytes; bytes <= most_bytes_; bytes *= step) {
      const Buffer here(Location::device, bytes), pinned(Location::host, bytes, true);
      const Numbers numbers = {{"bytes", static_cast<double>(bytes)}};
      time("copy_to_device", numbers,
           [&](const Queue& q) { q.copy_async(here.data(), pinned.data(), bytes); });
      time("copy_from_device", numbers,
           [&](const Queue& q) { q.copy_async(pinned.data(), here.data(), bytes); });
    }
  }

  Bench& bench_;
  std::size_t most_bytes_;
  ProcessGrid grid_;
  Queue queue_;
};

}  // namespace

void bench_network(Bench& bench, std::size_t most_bytes) { NetworkBench(bench, most_bytes).run(); }
void bench_network(Bench& bench, std::string_view) { bench_network(bench, std::size_t{16} << 20); }

}  // namespace plaq::jobs

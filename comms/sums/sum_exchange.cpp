#include "comms/sums/sum_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "comms/sums/peer_sums.hpp"
#include "core/system/await_number.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/memory.hpp"
#include "core/system/timer.hpp"
#if defined(PLAQ_WITH_CUDA)
#include "comms/sums/total_sums.hpp"
#include "core/sums/sum_sheet.hpp"
#endif

namespace plaq {
namespace {

// One is written while a slow rank still reads the other. The one after is not begun before all ranks have
// handed over the next sums, which they do after they have read these.
constexpr std::size_t sheets = 2;

void trace_sums(int count, bool host_waits) {
  TraceStep step;
  step.name = "sums";
  step.sums = count;
  step.host_waits = host_waits;
  DryRun::current()->trace().add(step);
}

}  // namespace

SumExchange::SumExchange(Communicator comm, const std::vector<int>& nodes)
    : comm_(std::move(comm)), size_(static_cast<int>(nodes.size())) {
  one_node_ = std::all_of(nodes.begin(), nodes.end(), [&](int n) { return n == nodes.front(); });
  if (runs_dry()) return;
  const int rank = comm_.rank();
  node_ = one_node_ ? comm_ : comm_.split(nodes[static_cast<std::size_t>(rank)], rank);
  // Sheets of this rank, and on a node's first rank those of the totals.
  const std::size_t bytes = (one_node_ ? 1 : 2) * sheets * sizeof(SumSheet);
  shared_ = NodeMemory::make(node_, bytes);
  if (!shared_) {
    node_ = Communicator::alone();
    shared_ = NodeMemory::make(node_, 2 * sheets * sizeof(SumSheet));
  }
  const bool have_memory = comm_.all(shared_ != nullptr);
  if (!have_memory) throw Error(ErrorKind::comms, "no megabyte of memory for sums");
  node_ranks_ = node_.all_gather(rank);
  between_nodes_ = !comm_.all(node_.size() == size_);
  if (between_nodes_) leaders_ = comm_.part(node_.rank() == 0);
}

SumExchange::~SumExchange() {
  if (registered_ != nullptr) unlock_pages(registered_);
}

SumSheet& SumExchange::sheet(int rank_of_node) const {
  return reinterpret_cast<SumSheet*>(shared_->of(rank_of_node))[number_ % sheets];
}

SumSheet& SumExchange::total_sheet() const {
  return reinterpret_cast<SumSheet*>(shared_->of(0))[sheets + number_ % sheets];
}

// By this rank; `sums` are 0 afterwards.
void SumExchange::publish(SumSheet& sheet, std::span<ExactSum> sums) const {
  for (std::size_t k = 0; k < sums.size(); ++k)
    hand_over(sheet, static_cast<int>(k), sums[k].limb, OneLane());
  std::atomic_ref<std::uint64_t>(sheet.number).store(number_, std::memory_order_release);
}

// Sums over this node, once the sheets of its ranks are there.
std::vector<SheetSum> SumExchange::node_sums(int count, const Queue* queue) const {
  std::vector<SheetSum> sums(static_cast<std::size_t>(count));
  for (int n = 0; n < node_.size(); ++n) {
    const int rank = (node_.rank() + n) % node_.size();
    await_number(
        sheet(rank).number, number_,
        [&] { return fmt::format("the sums of rank {}", node_ranks_[static_cast<std::size_t>(rank)]); },
        [&] {
          if (n == 0 && queue != nullptr) queue->check();
          comm_.progress();
        });
    for (int k = 0; k < count; ++k) sums[static_cast<std::size_t>(k)].add(sheet(rank), k);
  }
  return sums;
}

// Sums over all ranks.
std::vector<SheetSum> SumExchange::added(int count, const Queue* queue) {
  if (!between_nodes_) return node_sums(count, queue);
  if (leaders_) {
    std::vector<ExactSum> all;
    for (const SheetSum& sum : node_sums(count, queue)) all.push_back(sum.sum()), all.back().normalize();
    const Waiting wait([] { return std::string("sums of all nodes"); });
    if (!all.empty())
      leaders_->sum(std::span(all.front().limb, all.size() * static_cast<std::size_t>(ExactSum::size)));
    publish(total_sheet(), all);
  }
  await_number(
      total_sheet().number, number_,
      [&] { return fmt::format("the sums of all nodes, from rank {}", node_ranks_.front()); },
      [&] {
        if (queue != nullptr) queue->check();
        comm_.progress();
      });
  std::vector<SheetSum> sums(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) sums[static_cast<std::size_t>(k)].add(total_sheet(), k);
  return sums;
}

bool SumExchange::device_may_write() {
  if (registered_ == nullptr && !refused_) {
    char* mine = shared_->of(node_.rank());
    if (lock_pages(mine, shared_->stride())) {
      registered_ = mine;
    } else {
      refused_ = true;
    }
  }
  return registered_ != nullptr;
}

// write(sheet, first, count) hands over this rank's sums, in portions that a sheet has room for.
template <class Write>
std::vector<double> SumExchange::exchange(int count, const Queue* queue, std::vector<ExactSum>* totals,
                                          Write&& write) {
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(count));
  if (totals != nullptr) totals->clear();
  for (int first = 0; first < count; first += SumSheet::capacity) {
    const int some = std::min(SumSheet::capacity, count - first);
    ++number_;
    write(sheet(node_.rank()), first, some);
    for (const SheetSum& sum : added(some, queue)) {
      result.push_back(sum.round());
      if (totals != nullptr) totals->push_back(sum.sum());
    }
  }
  return result;
}

std::vector<double> SumExchange::sum(std::vector<ExactSum>& sums) {
  if (runs_dry()) {
    trace_sums(static_cast<int>(sums.size()), true);
    return std::vector<double>(sums.size());
  }
  std::vector<ExactSum> mine = sums;
  return exchange(static_cast<int>(sums.size()), nullptr, &sums, [&](SumSheet& sheet, int first, int count) {
    publish(sheet, std::span(mine).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
  });
}

std::vector<double> SumExchange::take(SumBuffer& sums, int count, const Queue& queue) {
  require(count <= sums.capacity(), "more sums than the buffer holds");
  if (runs_dry()) {
    trace_sums(count, true);
    return std::vector<double>(static_cast<std::size_t>(count));
  }
#if defined(PLAQ_WITH_CUDA)
  // More sums than a sheet holds: each portion would wait for the host.
  if (sums.location() == Location::device && count > SumSheet::capacity && devices_may_add(queue)) {
    std::vector<double> result(static_cast<std::size_t>(count));
    const Buffer totals(Location::device, result.size() * sizeof(double));
    total(sums, count, totals.as<double>(), queue);
    queue.synchronize();
    copy_bytes(result.data(), Location::host, totals.data(), totals.location(), totals.bytes());
    return result;
  }
  if (sums.location() == Location::device && device_may_write())
    return exchange(count, &queue, nullptr, [&](SumSheet& sheet, int first, int some) {
      send_sums(&sheet, sums.limbs() + static_cast<std::ptrdiff_t>(first) * ExactSum::size, some, number_,
                queue);
    });
#endif
  auto mine = sums.fetch(queue, count);
  sums.clear(queue, count);
  return sum(mine);
}

bool SumExchange::devices_may_add(const Queue& queue) {
  if (size_ == 1) return true;
  if (runs_dry()) {
    const std::size_t bytes = one_node_ && !tried_ ? peer_sums_bytes(size_) : 0;
    if (bytes > 0) {
      gpus_counted_ = CountedMemory("sums among GPUs", bytes, Location::device, MemoryItem::Kind::lasting);
      tried_ = true;
    }
    return one_node_ && size_ <= most_peers;
  }
  if (!tried_ && one_node_) gpus_ = make_peer_sums(comm_, queue);
  tried_ = true;
  return gpus_ != nullptr;
}

void SumExchange::use(std::unique_ptr<GpuSums> sums) {
  gpus_ = std::move(sums);
  tried_ = true;
}

bool SumExchange::offer(std::unique_ptr<GpuSums> sums) {
  const Queue queue(Location::device);
  if (devices_may_add(queue)) return false;
  if (!sums_are_right(*sums, comm_, queue)) {
    log::warning("GPUs that add up among themselves get wrong sums: sums pass through the hosts");
    return false;
  }
  SumBuffer one(Location::device, 1);
  one.clear(queue, 1);
  const Buffer result(Location::device, sizeof(double));
  constexpr int times = 20;
  // Time of the slowest rank.
  const auto seconds_of = [&](const auto& total) {
    double best = std::numeric_limits<double>::infinity();
    for (int sample = 0; sample < 3; ++sample) {
      comm_.barrier();
      const Timer timer;
      for (int i = 0; i < times; ++i) total();
      queue.synchronize();
      best = std::min(best, comm_.max(timer.seconds()) / times);
    }
    return best;
  };
  const double by_hosts = seconds_of([&] { total(one, 1, result.as<double>(), queue); });
  const double by_gpus = seconds_of([&] { sums->total(one, 1, result.as<double>(), queue); });
  log::debug(fmt::format("a sum takes {:.1f} us through the hosts, {:.1f} us among GPUs", 1e6 * by_hosts,
                         1e6 * by_gpus));
  if (by_hosts < 0.9 * by_gpus) return false;
  use(std::move(sums));
  return true;
}

void SumExchange::total(SumBuffer& sums, int count, double* totals, const Queue& queue) {
  require(count <= sums.capacity(), "more sums than the buffer holds");
  const bool on_device = sums.location() == Location::device;
  if (runs_dry()) {
    trace_sums(count, !on_device);
    if (on_device && !devices_may_add(queue) &&
        staging_.bytes() < static_cast<std::size_t>(count) * sizeof(double))
      staging_ = Buffer(Location::host, static_cast<std::size_t>(count) * sizeof(double), true);
    return;
  }
#if defined(PLAQ_WITH_CUDA)
  if (on_device && devices_may_add(queue)) {
    if (size_ > 1) return gpus_->total(sums, count, totals, queue);
    return total_sums(sums.limbs(), count, totals, {}, queue);
  }
#endif
  const auto values = take(sums, count, queue);
  const std::size_t bytes = values.size() * sizeof(double);
  const void* from = values.data();
  if (on_device) {
    // Sums that were copied from here before have arrived: the sums just taken were queued after it.
    if (staging_.bytes() < bytes) staging_ = Buffer(Location::host, bytes, true);
    std::memcpy(staging_.data(), from, bytes);
    from = staging_.data();
  }
  queue.copy_async(totals, from, bytes);
}

}  // namespace plaq

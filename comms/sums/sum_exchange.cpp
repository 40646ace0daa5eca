#include "comms/sums/sum_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <utility>

#include "core/system/await_number.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/memory.hpp"
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

SumExchange::SumExchange(Communicator comm, int size, bool one_node)
    : comm_(std::move(comm)), rank_(comm_.rank()), size_(size), one_node_(one_node) {
  if (runs_dry()) return;
  if (one_node) shared_ = NodeMemory::make(comm_, sheets * sizeof(SumSheet));
  if (shared_) return;
  with_mpi_ = true;
  shared_ = NodeMemory::make(Communicator::alone(), sheets * sizeof(SumSheet));
  if (!shared_) throw Error(ErrorKind::comms, "no half a megabyte of memory for sums");
}

SumExchange::~SumExchange() {
  if (registered_ != nullptr) unlock_pages(registered_);
}

SumSheet& SumExchange::sheet(int rank) const {
  auto* both = reinterpret_cast<SumSheet*>(shared_->of(with_mpi_ ? 0 : rank));
  return both[number_ % sheets];
}

// Until that rank's sums are there.
void SumExchange::await(int rank, const Queue* queue) const {
  await_number(
      sheet(rank).number, number_, [=] { return fmt::format("the sums of rank {}", rank); },
      [&] {
        if (rank == rank_ && queue != nullptr) queue->check();
        comm_.progress();
      });
}

bool SumExchange::device_may_write() {
  if (registered_ == nullptr && !refused_) {
    char* mine = shared_->of(with_mpi_ ? 0 : rank_);
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
  std::vector<ExactSum> through_mpi;
  for (int first = 0; first < count; first += SumSheet::capacity) {
    const int some = std::min(SumSheet::capacity, count - first);
    ++number_;
    write(sheet(rank_), first, some);
    std::vector<SheetSum> sums(static_cast<std::size_t>(some));
    for (int n = 0; n < (with_mpi_ ? 1 : size_); ++n) {
      const int rank = with_mpi_ ? rank_ : (rank_ + n) % size_;
      await(rank, queue);
      for (int k = 0; k < some; ++k) sums[static_cast<std::size_t>(k)].add(sheet(rank), k);
    }
    for (const SheetSum& sum : sums) {
      if (!with_mpi_) result.push_back(sum.round());
      if (with_mpi_ || totals != nullptr) through_mpi.push_back(sum.sum());
    }
  }
  if (with_mpi_) {
    for (auto& sum : through_mpi) sum.normalize();
    if (size_ > 1 && count > 0)
      comm_.sum(std::span(reinterpret_cast<std::int64_t*>(through_mpi.data()),
                          static_cast<std::size_t>(count) * ExactSum::size));
    for (const auto& sum : through_mpi) result.push_back(sum.round());
  }
  if (totals != nullptr) *totals = std::move(through_mpi);
  return result;
}

std::vector<double> SumExchange::sum(std::vector<ExactSum>& sums) {
  if (runs_dry()) {
    trace_sums(static_cast<int>(sums.size()), true);
    return std::vector<double>(sums.size());
  }
  std::vector<ExactSum> mine = sums;
  return exchange(static_cast<int>(sums.size()), nullptr, &sums, [&](SumSheet& sheet, int first, int count) {
    for (int k = 0; k < count; ++k)
      hand_over(sheet, k, mine[static_cast<std::size_t>(first + k)].limb, OneLane());
    std::atomic_ref<std::uint64_t>(sheet.number).store(number_, std::memory_order_release);
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
  if (const std::size_t bytes = runs_dry() && one_node_ && !peers_tried_ ? PeerSums::bytes(size_) : 0;
      bytes > 0) {
    peers_counted_ = CountedMemory("sums among GPUs", bytes, Location::device, MemoryItem::Kind::lasting);
    peers_tried_ = true;
  }
  if (runs_dry()) return one_node_ && size_ <= PeerSums::most_ranks;
  if (one_node_ && !peers_tried_) peers_ = PeerSums::make(comm_, queue);
  peers_tried_ = true;
  return peers_ != nullptr;
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
    if (size_ > 1) return peers_->total(sums, count, totals, queue);
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

#include "multigrid/levels/agglomeration.hpp"

#include <chrono>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/heartbeat.hpp"
#include "comms/grid/process_grid.hpp"
#include "core/system/timer.hpp"
#include "core/system/waiting.hpp"

namespace plaq {
namespace {

int smallest_factor(int n) {
  for (int factor = 2; factor * factor <= n; ++factor)
    if (n % factor == 0) return factor;
  return n;
}

constexpr int found_tag = 0, message_tag = 1;

struct Head {
  int kind = 0;  // of the failure, 0: none
  int message_bytes = 0;
};

// Returns when it has ended: at once, or after naps that are longer the longer it takes.
void wait_with_naps(Request request) {
  constexpr double shortest_nap = 1e-4;  // seconds
  const double begin = seconds_now();
  while (!request.done()) {
    const double nap = (seconds_now() - begin) / 16;
    if (nap < shortest_nap)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::duration<double>(nap));
  }
}

// Rank 0 of a communicator tells all others what was found, some bytes, or that the work failed. Each of them
// awaits it; they leave their cores to those at work, and notice the outcome late by at most a sixteenth of
// the time that they waited.
void tell_outcome(const void* found, std::size_t bytes, const std::optional<Error>& failure,
                  const Communicator& others) {
  const std::string message = failure ? failure->what() : "";
  const Head head{failure ? static_cast<int>(failure->kind()) : 0, static_cast<int>(message.size())};
  std::vector<char> words(sizeof(head) + bytes);
  std::memcpy(words.data(), &head, sizeof(head));
  std::memcpy(words.data() + sizeof(head), found, bytes);
  for (int to = 1; to < others.size(); ++to) {
    const auto taken = [to] { return "that rank " + std::to_string(to) + " takes an outcome"; };
    others.send(std::span(words), to, found_tag, taken);
    if (failure) others.send(std::span(message), to, message_tag, taken);
  }
}

std::optional<Error> await_outcome(void* found, std::size_t bytes, const Communicator& others) {
  beat();
  const Waiting wait([] { return std::string("the work of fewer ranks"); });
  Head head;
  std::vector<char> words(sizeof(head) + bytes);
  wait_with_naps(others.start_receive(std::span(words), 0, found_tag));
  std::memcpy(&head, words.data(), sizeof(head));
  std::memcpy(found, words.data() + sizeof(head), bytes);
  if (head.kind == 0) return std::nullopt;
  std::string message(static_cast<std::size_t>(head.message_bytes), '\0');
  others.receive(std::span(message), 0, message_tag, [] { return std::string("why fewer ranks failed"); });
  return Error(static_cast<ErrorKind>(head.kind), message);
}

}  // namespace

Extents ranks_for_level(const Extents& ranks, const Extents& global, int least_sites) {
  Extents fewer = ranks;
  const auto local = [&](std::size_t mu) { return global[mu] / fewer[mu]; };
  while (std::int64_t{local(0)} * local(1) * local(2) * local(3) < least_sites) {
    std::size_t most = 3;
    for (std::size_t mu : {2, 1, 0})
      if (fewer[mu] > fewer[most] || (fewer[mu] == fewer[most] && local(mu) < local(most))) most = mu;
    if (fewer[most] == 1) break;
    fewer[most] /= smallest_factor(fewer[most]);
  }
  return fewer;
}

Extents ranks_for_blocks(const Extents& ranks, const Extents& global, const Extents& block) {
  Extents fewer = ranks;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto suits = [&](int n) { return ranks[mu] % n == 0 && global[mu] % (n * block[mu]) == 0; };
    int n = ranks[mu];
    while (n > 0 && !suits(n)) --n;
    if (n > 0) fewer[mu] = n;
  }
  return fewer;
}

Agglomeration::Agglomeration(const ProcessGrid& grid, GeometryPtr on_all, const Extents& ranks)
    : all_(grid), on_all_(std::move(on_all)), agglomerated_(on_all_), merges_(ranks != grid.ranks()) {
  const Decomposition& d = on_all_->decomposition();
  require(d.ranks == grid.ranks() && d.position == grid.position(), "a level of another process grid");
  if (!merges_) return;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    if (ranks[mu] < 1 || grid.ranks()[mu] % ranks[mu] != 0)
      throw Error(ErrorKind::comms, "a level of process grid " + to_string(grid.ranks()) +
                                        " cannot move to " + to_string(ranks) + ": " +
                                        std::to_string(ranks[mu]) + " in " + "xyzt"[mu] +
                                        " does not divide " + std::to_string(grid.ranks()[mu]));
    merge_[mu] = grid.ranks()[mu] / ranks[mu];
  }
  fewer_ = merged_grid(grid, merge_);
  agglomerated_ =
      fewer_ ? fewer_->general_geometry(on_all_->global(), on_all_->order(), on_all_->decomposition().forced)
             : nullptr;
  Extents box = grid.position();
  for (std::size_t mu = 0; mu < 4; ++mu) box[mu] /= merge_[mu];
  box_ = grid.comm().split(cell_of(box, ranks), fewer_ ? 0 : 1);
  if (fewer_) workers_ = fewer_->comm().duplicate();
}

const ProcessGrid& Agglomeration::grid() const {
  require(here(), "the process grid of a level on a rank that has no part of it");
  return fewer_ ? *fewer_ : all_;
}

double Agglomeration::share_of_ranks() const { return 1.0 / (merge_[0] * merge_[1] * merge_[2] * merge_[3]); }

Redistribution Agglomeration::redistribution(const FieldSpec& on_all, Location location) const {
  return {all_, merge_, on_all_, agglomerated_, on_all, location};
}

Field Agglomeration::gather(const Field& on_all, Location location, const Queue& queue) const {
  FieldSpec spec = on_all.spec();
  spec.location = location;
  Field agglomerated;
  if (here()) agglomerated = Field(agglomerated_, spec);
  redistribution(on_all.spec(), location)
      .gather(here() ? &agglomerated : nullptr, on_all, ActiveSet(on_all.batch()), queue);
  return agglomerated;
}

void Agglomeration::scatter(Field& on_all, const Field& agglomerated, const Queue& queue) const {
  redistribution(on_all.spec(), here() ? agglomerated.location() : on_all.location())
      .scatter(on_all, here() ? &agglomerated : nullptr, ActiveSet(on_all.batch()), queue);
}

void Agglomeration::work_and_tell(const std::function<void()>& work, void* found, std::size_t bytes) const {
  if (!merges_) return work();
  std::optional<Error> failure;
  if (here()) {
    try {
      all_or_none(workers_, work);
    } catch (const Error& error) {
      failure = error;
    }
    tell_outcome(found, bytes, failure, box_);
  } else {
    failure = await_outcome(found, bytes, box_);
  }
  if (failure) throw Error(*failure);
}

}  // namespace plaq

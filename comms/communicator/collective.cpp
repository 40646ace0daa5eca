#include "comms/communicator/collective.hpp"

#include <cstdint>
#include <new>
#include <optional>
#include <span>

#include "comms/communicator/world.hpp"
#include "core/system/error.hpp"
#include "core/system/waiting.hpp"

namespace plaq {

std::string broadcast(const Communicator& comm, std::string text, int root) {
  const Waiting wait([root] { return "words of rank " + std::to_string(root); });
  text.resize(static_cast<std::size_t>(comm.broadcast(std::uint64_t{text.size()}, root)));
  comm.broadcast(std::span(text), root);
  return text;
}

std::vector<std::string> gather(const Communicator& comm, const std::string& text) {
  const Waiting wait([] { return std::string("words of all ranks"); });
  const bool here = comm.rank() == 0;
  const int size = static_cast<int>(text.size());
  const std::vector<int> one_each(here ? static_cast<std::size_t>(comm.size()) : 0, 1);
  const std::vector<int> sizes = comm.gather(std::span(&size, 1), one_each);
  const std::vector<char> joined = comm.gather(std::span(text), sizes);
  std::vector<std::string> texts;
  auto at = joined.begin();
  for (const int count : sizes) {
    texts.emplace_back(at, at + count);
    at += count;
  }
  return texts;
}

void all_or_none(const Communicator& comm, const std::function<void()>& action) {
  std::optional<Error> mine;
  try {
    action();
  } catch (const Error& error) {
    mine = error;
  } catch (const std::bad_alloc&) {
    mine = Error(ErrorKind::internal, "out of memory on the host");
  } catch (const std::exception& error) {
    mine = Error(ErrorKind::internal, std::string("internal error: ") + error.what());
  }
  const Waiting wait([] { return std::string("all ranks, whether something failed on one of them"); });
  const int failed = comm.min(mine ? comm.rank() : comm.size());
  if (failed == comm.size()) return;
  const int kind = comm.broadcast(mine ? static_cast<int>(mine->kind()) : 0, failed);
  const std::string message = broadcast(comm, mine ? mine->what() : "", failed);
  throw Error(static_cast<ErrorKind>(kind), message);
}

void on_first_rank(const std::function<void()>& action) {
  const Communicator all = world();
  all_or_none(all, [&] {
    if (all.rank() == 0) action();
  });
}

Extents extents_from_first_rank(const std::function<Extents()>& action) {
  Extents extents{};
  on_first_rank([&] { extents = action(); });
  return world().broadcast(extents);
}

}  // namespace plaq

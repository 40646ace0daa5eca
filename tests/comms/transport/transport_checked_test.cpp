// Faces with checksums: what comes right passes with the same bytes, and every damage is found and named.
#include "comms/transport/transport_checked.hpp"

#include "comms/transport/face_memory.hpp"
#include "comms/transport/transport_choice.hpp"
#include "comms/transport/transport_trials.hpp"
#include "tests/comms/transport/garbling.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

constexpr std::size_t head = 512;

using test::line_of_ranks;

// To both neighbours in t and in x.
std::vector<FaceMessage> messages_of(const ProcessGrid& grid, std::size_t bytes) {
  std::vector<FaceMessage> messages;
  for (const int d : {0, 1, 6, 7})
    messages.push_back({grid.neighbor(d / 2, d % 2 == 1), grid.neighbor(d / 2, d % 2 == 0), d, bytes});
  return messages;
}

struct Found {
  std::string at_once;  // what finish() said on this rank
  std::string before;   // what the next begin() would say
  std::string after;    // what expect_intact() said
};

std::string said_by(const test::Action& action) { return test::message_of(ErrorKind::comms, action); }

// Exchanges 0 to `last` of random faces through a transport that damages none but the last one.
Found exchange(const ProcessGrid& grid, Location location, std::size_t bytes, int last,
               const test::Garbling::Damage& damage, std::size_t most = Exchange::whole) {
  const auto inner = std::make_shared<test::Garbling>(make_host_transport(grid, location), location, damage);
  CheckedTransport transport(grid, location, inner);
  const Queue queue(location);
  const auto messages = messages_of(grid, bytes);
  const auto run = transport.prepare(messages);
  std::mt19937 random(17 + static_cast<unsigned>(grid.rank()));
  Found found;
  for (int number = 0; number <= last; ++number) {
    EXPECT_EQ(found.at_once, "");
    run->begin();
    for (std::size_t m = 0; m < messages.size(); ++m) {
      std::vector<unsigned char> face(bytes);
      for (auto& byte : face) byte = static_cast<unsigned char>(random());
      copy_bytes(run->send(m), location, face.data(), Location::host, bytes);
    }
    run->start(queue, most);
    found.at_once = said_by([&] { run->finish(queue); });
    queue.synchronize();
  }
  found.before = said_by([&] { run->begin(); });
  found.after = said_by([&] { transport.expect_intact(queue); });
  return found;
}

// Damage to message `message` of exchange `number` on the last rank alone; the others hear of it.
void expect_found(std::size_t bytes, std::size_t message, int number,
                  const std::function<void(unsigned char*, std::size_t)>& damage,
                  std::size_t most = Exchange::whole) {
  const ProcessGrid grid(MPI_COMM_WORLD, line_of_ranks());
  const int last = grid.size() - 1;
  for (const Location location : test::locations()) {
    const Found found = exchange(
        grid, location, bytes, number,
        [&](unsigned char* face, std::size_t size, std::size_t m, int n) {
          if (grid.rank() == last && m == message && n == number) damage(face, size);
        },
        most);
    const int d = messages_of(grid, 1)[message].tag;
    const int sender = d < 6 ? last : (last + (d == 6 ? 1 : -1) + grid.size()) % grid.size();
    const std::string name = std::string("the face from ") + "xyzt"[d / 2] + (d % 2 == 0 ? "+" : "-") +
                             " (rank " + std::to_string(sender) + ") came to rank " + std::to_string(last) +
                             " damaged in exchange " + std::to_string(number + 1) + " of its kind";
    EXPECT_EQ(found.after.substr(0, name.size()), name);
    test::expect_parts(found.after, {"garbling"});
    EXPECT_EQ(found.before, grid.rank() == last ? found.after : "");
    EXPECT_EQ(found.at_once, location == Location::host ? found.before : "");
  }
}

TEST(CheckedTransport, MovesWhatItsInnerOneMoves) {
  const ProcessGrid grid(MPI_COMM_WORLD, line_of_ranks());
  for (const Location location : test::locations()) {
    for (const auto kind : {TransportKind::automatic, TransportKind::host}) {
      const auto inner = choose_transport(grid, location, kind).transport;
      CheckedTransport transport(grid, location, inner);
      EXPECT_EQ(transport_fault(grid, location, transport, test_message_bytes()), "");
      EXPECT_NO_THROW(transport.expect_intact(Queue(location)));
    }
    for (const std::size_t bytes : {1, 7, 8, 9, 4096, 65537}) {
      const Found found =
          exchange(grid, location, bytes, 2, [](unsigned char*, std::size_t, std::size_t, int) {});
      EXPECT_EQ(found.at_once + found.before + found.after, "");
    }
  }
}

TEST(CheckedTransport, FindsEveryBitThatIsFlipped) {
  constexpr std::size_t bytes = 43;  // five words and a part of one
  for (std::size_t bit = 0; bit < 8 * bytes; bit += 3)
    expect_found(bytes, bit % 4, static_cast<int>(bit % 3),
                 [&](unsigned char* face, std::size_t) { face[head + bit / 8] ^= 1u << (bit % 8); });
  // Fault in a checksum, and in the part of a larger face that travels.
  expect_found(8, 2, 0, [](unsigned char* face, std::size_t) { face[3] ^= 1; });
  expect_found(8, 2, 0, [](unsigned char* face, std::size_t) { face[head - 1] ^= 128; });
  expect_found(
      100000, 1, 1, [](unsigned char* face, std::size_t size) { face[size - 1] ^= 1; }, 70001);
}

TEST(CheckedTransport, FindsWordsThatChangedPlaces) {
  const auto swap_words = [](std::size_t a, std::size_t b, std::size_t width) {
    return [=](unsigned char* face, std::size_t) {
      std::swap_ranges(face + head + width * a, face + head + width * (a + 1), face + head + width * b);
    };
  };
  for (const std::size_t width : {4, 8, 16}) {
    expect_found(49152, 3, 1, swap_words(0, 1, width));      // of one run
    expect_found(49152, 0, 2, swap_words(5, 3000, width));   // of two
    expect_found(49152, 2, 0, swap_words(17, 1021, width));  // a multiple of no run's length apart
  }
  // Two halves of a face, checksums and all.
  expect_found(16384, 1, 1, [](unsigned char* face, std::size_t size) {
    std::swap_ranges(face, face + size / 2, face + size / 2);
  });
}

// What came in the exchange before comes once more, whole and with its checksums.
TEST(CheckedTransport, FindsStaleFaces) {
  const ProcessGrid grid(MPI_COMM_WORLD, line_of_ranks());
  for (const Location location : test::locations()) {
    std::vector<unsigned char> before;
    const Found found = exchange(grid, location, 1000, 1,
                                 [&](unsigned char* face, std::size_t size, std::size_t m, int number) {
                                   if (grid.rank() != 0 || m != 2) return;
                                   if (number == 0) before.assign(face, face + size);
                                   if (number == 1) std::copy(before.begin(), before.end(), face);
                                 });
    test::expect_parts(found.after, {"came to rank 0 damaged in exchange 2 "});
  }
}

// A face that was meant for another direction, with its checksums.
TEST(CheckedTransport, FindsFacesOfOthers) {
  const ProcessGrid grid(MPI_COMM_WORLD, line_of_ranks());
  for (const Location location : test::locations()) {
    std::vector<unsigned char> other;
    const Found found =
        exchange(grid, location, 1000, 0, [&](unsigned char* face, std::size_t size, std::size_t m, int) {
          if (m == 0) other.assign(face, face + size);
          if (m == 1) std::copy(other.begin(), other.end(), face);
        });
    test::expect_parts(found.after, {"the face from x- (rank 0) came to rank 0 damaged in exchange 1 "});
  }
}

// Messages of one end, and more of them than a launch takes.
TEST(CheckedTransport, ChecksAnyMessages) {
  const ProcessGrid grid(MPI_COMM_WORLD, line_of_ranks());
  const int last = grid.size() - 1, rank = grid.rank();
  for (const Location location : test::locations()) {
    for (const int count : {1, 16, 17, 33}) {
      std::vector<FaceMessage> messages;
      for (int m = 0; m < count; ++m)
        messages.push_back({rank == 0 ? last : FaceMessage::nobody, rank == last ? 0 : FaceMessage::nobody, m,
                            static_cast<std::size_t>(m % 3 == 1 && m < count - 1 ? 0 : 8)});
      std::vector<unsigned char> before;
      const auto inner = std::make_shared<test::Garbling>(
          make_host_transport(grid, location), location,
          [&](unsigned char* face, std::size_t size, std::size_t m, int number) {
            if (static_cast<int>(m) != count - 1) return;
            if (number == 0) before.assign(face, face + size);
            if (number == 3) std::copy(before.begin(), before.end(), face);  // stale
          });
      CheckedTransport transport(grid, location, inner);
      const Queue queue(location);
      const auto run = transport.prepare(messages);
      for (int number = 0; number < 4; ++number) {
        const std::string said = said_by([&] {
          run->begin();
          run->start(queue);
          run->finish(queue);
        });
        EXPECT_EQ(said.empty(), rank != last || number < 3 || location == Location::device) << said;
      }
      test::expect_parts(said_by([&] { transport.expect_intact(queue); }), {"damaged in exchange 4 "});
    }
  }
}

// The memory that plans count with.
TEST(CheckedTransport, TakesTheMemoryThatIsKnown) {
  const ProcessGrid grid(MPI_COMM_WORLD, line_of_ranks());
  constexpr std::size_t bytes = 5000;
  const Location location = Location::host;
  for (const auto kind : {TransportKind::host, TransportKind::automatic}) {
    const auto inner = choose_transport(grid, location, kind).transport;
    const std::size_t before = Buffer::in_use(location);
    CheckedTransport transport(grid, location, inner);
    const auto run = transport.prepare(messages_of(grid, bytes));
    std::vector<FaceMessage> messages;  // as rank 0 sees them
    for (const int d : {0, 1, 6, 7}) {
      const int other = d >= 6 && grid.size() > 1 ? 1 : 0;
      messages.push_back({other, other, d, bytes});
    }
    const ExchangeBytes all = exchange_bytes(kind, location, grid.size(), messages, true);
    const std::size_t planned = all.here + all.pinned;
    EXPECT_EQ(all.lasting, 0u);
    EXPECT_EQ(Buffer::in_use(location) - before, planned + 3 * sizeof(std::uint64_t));
  }
}

}  // namespace
}  // namespace plaq

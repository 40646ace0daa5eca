// Memory and its accounts, queues, events, and errors.

#include "core/launch/dispatch.hpp"
#include "core/launch/queue.hpp"
#include "core/sums/sum_buffer.hpp"
#include "core/system/memory.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/locations.hpp"

namespace plaq {
namespace {

using test::message_of;

TEST(Buffer, AccountsForWhatIsAllocated) {
  for (const Location location : test::locations()) {
    const std::size_t before = Buffer::in_use(location), most = Buffer::high_water(location);
    {
      Buffer a(location, 1000);
      const Buffer shared = a;
      EXPECT_EQ(Buffer::in_use(location), before + 1000);  // a copy shares
      {
        const Buffer b(location, (std::size_t{1} << 20) + most, location == Location::host);
        EXPECT_EQ(Buffer::in_use(location), before + 1000 + b.bytes());
      }
      EXPECT_EQ(Buffer::in_use(location), before + 1000);
      Buffer moved = std::move(a);
      EXPECT_EQ(Buffer::in_use(location), before + 1000);
      moved = Buffer();
      EXPECT_EQ(Buffer::in_use(location), before + 1000);  // `shared` keeps it
    }
    EXPECT_EQ(Buffer::in_use(location), before);
    EXPECT_EQ(Buffer::high_water(location), std::max(most, before + 1000 + (std::size_t{1} << 20) + most));
  }
}

TEST(Buffer, AlignedZeroedAndCopied) {
  for (const Location location : test::locations())
    for (const std::size_t bytes :
         {std::size_t{1}, std::size_t{127}, std::size_t{128}, std::size_t{1000003}}) {
      Buffer a(location, bytes), b(location, bytes);
      EXPECT_EQ(a.bytes(), bytes);
      EXPECT_TRUE(static_cast<bool>(a));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 128, 0u);
      std::vector<char> ours(bytes), theirs(bytes);
      for (std::size_t i = 0; i < bytes; ++i) ours[i] = static_cast<char>(i * 7 + 1);
      copy_bytes(a.data(), location, ours.data(), Location::host, bytes);
      copy_bytes(b.data(), location, a.data(), location, bytes);
      copy_bytes(theirs.data(), Location::host, b.data(), location, bytes);
      EXPECT_EQ(ours, theirs);
      b.fill_zero();
      copy_bytes(theirs.data(), Location::host, b.data(), location, bytes);
      EXPECT_EQ(theirs, std::vector<char>(bytes, 0));
    }
  const Buffer none, empty(Location::host, 0);
  EXPECT_FALSE(static_cast<bool>(none));
  EXPECT_FALSE(static_cast<bool>(empty));
  EXPECT_EQ(empty.data(), nullptr);
}

TEST(Buffer, SaysHowMuchWasAskedFor) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer ends the program before plaq hears of it";
#endif
  const std::string message =
      message_of(ErrorKind::internal, [] { Buffer(Location::host, std::size_t{1} << 60); });
  EXPECT_TRUE(message.starts_with("out of memory: cannot allocate 1099511627776 MiB on the host, "))
      << message;
  if (device_count() > 0)
    test::expect_error([] { Buffer(Location::device, std::size_t{1} << 50); }, ErrorKind::device,
                       {"on the gpu"});
}

TEST(Queue, WorkIsDoneInOrder) {
  for (const Location location : test::locations()) {
    const Queue one(location), two(location);
    EXPECT_EQ(one.location(), location);
    EXPECT_EQ(one.stream() == nullptr, location == Location::host);
    constexpr std::size_t n = 1 << 20;
    const Buffer source(Location::host, n, true), result(Location::host, n, true);
    Buffer a(location, n), b(location, n);
    std::memset(source.data(), 42, n);
    std::memset(result.data(), 1, n);
    Event filled(location), done(location);
    // a is filled on one queue; the other waits for it, and leaves the last half zero.
    one.copy_async(a.data(), source.data(), n);
    filled.record(one);
    two.wait(filled);
    two.copy_async(b.data(), a.data(), n);
    two.zero_async(b.as<char>() + n / 2, n / 2);
    two.copy_async(result.data(), b.data(), n);
    done.record(two);
    done.synchronize();
    EXPECT_TRUE(filled.done());
    EXPECT_TRUE(done.done());
    EXPECT_GE(filled.milliseconds_to(done), 0);
    EXPECT_LT(filled.milliseconds_to(done), 60000);
    two.synchronize();
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(result.as<char>()[i], i < n / 2 ? 42 : 0);
    one.copy_async(nullptr, nullptr, 0);
    one.zero_async(nullptr, 0);
    one.synchronize();
  }
}

TEST(SumBuffer, RefusesMoreThanItHolds) {
  const Queue queue(Location::host);
  SumBuffer sums(Location::host, 2);
  EXPECT_EQ(message_of(ErrorKind::internal, [&] { sums.clear(queue, 3); }),
            "internal error: more sums than the buffer holds");
}

TEST(Error, CarriesKindAndContext) {
  const Error e(ErrorKind::input_file, "config.nersc: 3 bytes are missing");
  EXPECT_STREQ(e.what(), "config.nersc: 3 bytes are missing");
  EXPECT_EQ(exit_code(e.kind()), 4);
  EXPECT_NO_THROW(require(true, "never"));
  EXPECT_EQ(message_of(ErrorKind::internal, [] { require(1 + 1 == 3, "the sum of one and one"); }),
            "internal error: the sum of one and one");
}

TEST(Device, IsRefusedWithAMessageWhereThereIsNone) {
  if (with_cuda) GTEST_SKIP() << "built with CUDA";
  const test::Action attempts[] = {[] { Queue q(Location::device); }, [] { Event e(Location::device); },
                                   [] { use_device(0); }};
  for (const auto& attempt : attempts)
    EXPECT_EQ(message_of(ErrorKind::device, attempt),
              "this plaq was built without CUDA: it runs on the host only");
  EXPECT_EQ(message_of(ErrorKind::device, [] { Buffer b(Location::device, 8); }),
            "this plaq was built without CUDA: there is no device memory");
  test::expect_error([] { dispatch(Location::device, Precision::single_precision, [](auto) {}); },
                     ErrorKind::internal, {});
  EXPECT_EQ(device_count(), 0);
}

TEST(Dispatch, FindsTargetAndScalar) {
  for (const Location location : test::locations())
    for (const Precision precision : {Precision::single_precision, Precision::double_precision})
      dispatch(location, precision, [&](auto kind) {
        using K = decltype(kind);
        EXPECT_EQ((std::is_same_v<typename K::target, Device>), location == Location::device);
        EXPECT_EQ(static_cast<int>(sizeof(typename K::scalar)), bytes_of(precision));
      });
}

}  // namespace
}  // namespace plaq

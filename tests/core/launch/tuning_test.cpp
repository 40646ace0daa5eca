// The tuner chooses what is fastest, once, and leaves everything else as it was.
#include "core/launch/tuning.hpp"

#include "core/field/field.hpp"
#include "core/launch/cuda_check.hpp"
#include "core/launch/dispatch.hpp"
#include "tests/core/field/field_support.hpp"
#include "tests/core/launch/tuning_kernel.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/locations.hpp"

namespace plaq {
namespace {

const Queue queue(Location::host);
const Machine here{Location::host, "a processor", "none", "0.1 flags"};
const TuneKey key{"kernel", "single", {8, 4, 4, 6}, 0b1000, 12};
const TuneKey other{"kernel", "single", {8, 4, 4, 6}, 0b1000, 1};
const std::vector<Launch> three = {{0, 1}, {0, 2}, {0, 3}};

TuneEntry entry_for(const Launch& launch) {
  return {"kernel",    "single",   {8, 4, 4, 6}, 0b1000, 12,  here.device,
          here.driver, here.build, launch,       1.5,    2.5, "2026-01-31T00:00:00Z"};
}

// Takes as long as one says for each width, and counts.
struct Kernel {
  std::map<int, double> milliseconds;  // of a width; none: the device lacks what it takes
  int runs = 0;

  void operator()(const Launch& launch) {
    ++runs;
    const auto at = milliseconds.find(launch.width);
    if (at == milliseconds.end()) throw Error(ErrorKind::device, "no registers for " + to_string(launch));
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(at->second));
  }
};

// It does not copy its texts, so it takes none that are gone behind the call.
template <class Text>
constexpr bool takes = requires(Text&& text, const Geometry& geometry) {
  tune_key("kernel", std::forward<Text>(text), geometry, 1);
};
static_assert(takes<const std::string&> && takes<const char*> && !takes<std::string>);

TEST(TuneKey, IsOfLatticesOfAnyExtents) {
  const auto g =
      Geometry::create_general({{3, 4, 1, 6}, {1, 2, 1, 3}, {0, 1, 0, 2}, 4}, LatticeOrder::lexicographic);
  const TuneKey expected{"kernel", "single", {3, 2, 1, 2}, 0b1110, 5};
  EXPECT_EQ(tune_key("kernel", "single", *g, 5), expected);
}

TEST(Launch, SaysWhatItIs) {
  EXPECT_EQ(to_string(Launch{128, 3}), "block=128 width=3");
  EXPECT_EQ(to_string(Launch{64, 0}), "block=64");
  EXPECT_EQ(to_string(Launch{0, 3}), "width=3");
  EXPECT_EQ(to_string(Launch{192, 1, true, {4, 2, 2}}), "block=192 width=1 held box=4x2x2");
  EXPECT_EQ(to_string(Launch{}), "default");
}

TEST(Launch, CandidatesBeginWithTheDefault) {
  const int widths[] = {3, 1}, none[] = {0};
  EXPECT_EQ(launch_candidates(Location::host, 256, widths), (std::vector<Launch>{{0, 3}, {0, 1}}));
  EXPECT_EQ(launch_candidates(Location::device, 128, none),
            (std::vector<Launch>{{128, 0}, {64, 0}, {96, 0}}));
  const auto all = launch_candidates(Location::device, 1024, widths);
  EXPECT_EQ(all.front(), (Launch{1024, 3}));
  EXPECT_EQ(all.size(), 18u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].block % 32, 0);
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i], all[j]);
  }
}

TEST(TuneMode, HasNames) {
  EXPECT_EQ(tune_mode("off"), TuneMode::off);
  EXPECT_EQ(tune_mode("on"), TuneMode::on);
  EXPECT_EQ(tune_mode("read-only"), TuneMode::read_only);
  EXPECT_EQ(tune_mode("On"), std::nullopt);
}

TEST(Tuner, TakesTheFastestAndTimesOnce) {
  for (const int fastest : {1, 2, 3}) {
    Tuner tuner(TuneMode::on, here);
    Kernel kernel{{{1, 8}, {2, 5}, {3, 8}}};
    kernel.milliseconds[fastest] = 1;
    EXPECT_EQ(tuner.choose(key, three, queue, kernel), (Launch{0, fastest}));
    const int runs = kernel.runs;
    EXPECT_GE(runs, 6);
    EXPECT_EQ(tuner.choose(key, three, queue, kernel), (Launch{0, fastest}));
    EXPECT_EQ(kernel.runs, runs);

    const auto entries = tuner.take_new();
    ASSERT_EQ(entries.size(), 1u);
    const TuneEntry& e = entries[0];
    EXPECT_EQ(e.key(), key);
    EXPECT_EQ(e.launch, (Launch{0, fastest}));
    EXPECT_EQ(e.device + e.driver + e.build, here.device + here.driver + here.build);
    EXPECT_GE(e.microseconds, 1000);
    EXPECT_LT(e.microseconds, 4000);
    EXPECT_GE(e.default_microseconds, kernel.milliseconds[1] * 1000);
    EXPECT_EQ(e.date.size(), 20u);
    EXPECT_TRUE(tuner.take_new().empty());
  }
}

TEST(Tuner, PausesOnAQueue) {
  const auto tuner = std::make_shared<Tuner>(TuneMode::on, here);
  const Queue with(Location::host, tuner);
  Kernel kernel{{{1, 15}, {2, 0.2}, {3, 15}}};
  {
    const TunerPause pause(with);
    EXPECT_EQ(tuned(with, key, three, kernel), (Launch{0, 1}));
    EXPECT_EQ(kernel.runs, 0);
  }
  EXPECT_EQ(tuned(with, key, three, kernel), (Launch{0, 2}));
  const TunerPause pause(with);
  EXPECT_EQ(tuned(with, key, three, kernel), (Launch{0, 2}));  // what is known is used
}

TEST(Tuner, TellsKeysApart) {
  Tuner tuner(TuneMode::on, here);
  std::vector<TuneKey> keys(8, key);
  keys[1].kernel = "other";
  keys[2].storage = "double";
  keys[3].local[0] = 4;
  keys[4].local[3] = 4;
  keys[5].partitioned = 0;
  keys[6].batch = 1;
  keys[7].local = {4, 8, 4, 6};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Kernel kernel{{{1, 15}, {2, 15}, {3, 15}}};  // far apart, also on a busy machine
    kernel.milliseconds[static_cast<int>(1 + i % 3)] = 0.2;
    EXPECT_EQ(tuner.choose(keys[i], three, queue, kernel).width, static_cast<int>(1 + i % 3));
  }
  Kernel never;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    // The texts of a key need not be those it was made with.
    const std::string name(keys[i].kernel), storage(keys[i].storage);
    TuneKey again = keys[i];
    again.kernel = name;
    again.storage = storage;
    EXPECT_EQ(tuner.choose(again, three, queue, never).width, static_cast<int>(1 + i % 3));
  }
  EXPECT_EQ(tuner.take_new().size(), keys.size());
}

TEST(Tuner, LeavesOutWhatCannotRun) {
  Tuner tuner(TuneMode::on, here);
  Kernel kernel{{{2, 3}, {3, 1}}};
  EXPECT_EQ(tuner.choose(key, three, queue, kernel), (Launch{0, 3}));
  EXPECT_EQ(tuner.take_new().at(0).default_microseconds, 0);
  Kernel none;
  EXPECT_EQ(test::message_of(ErrorKind::device, [&] { tuner.choose(other, three, queue, none); }),
            "no registers for width=1");
  EXPECT_EQ(none.runs, 3);
  EXPECT_TRUE(tuner.take_new().empty());
}

TEST(Tuner, PutsBackWhatARunChanges) {
  std::vector<unsigned> one(1000), two(7);  // they wrap around
  for (std::size_t i = 0; i < one.size(); ++i) one[i] = static_cast<unsigned>(i);
  const auto before_one = one, before_two = two;
  const Tuner::Memory changed[] = {
      std::as_writable_bytes(std::span(one)), std::as_writable_bytes(std::span(two)), {}};
  int runs = 0;
  bool fail = false;
  const auto kernel = [&](const Launch&) {
    for (unsigned& i : one) i = 3 * i + 1;
    for (unsigned& i : two) ++i;
    if (++runs > 4 && fail) throw Error(ErrorKind::internal, "a bug");
  };
  Tuner tuner(TuneMode::on, here);
  tuner.choose(key, three, queue, kernel, changed);
  EXPECT_GT(runs, 4);
  EXPECT_EQ(one, before_one);
  EXPECT_EQ(two, before_two);

  runs = 0;
  fail = true;
  EXPECT_THROW(tuner.choose(other, three, queue, kernel, changed), Error);
  EXPECT_EQ(runs, 5);  // no candidate behind a bug
  EXPECT_EQ(one, before_one);
  EXPECT_EQ(two, before_two);
}

TEST(Tuner, DoesWithoutWhereTheCopyDoesNotFit) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer ends the program before plaq hears of it";
#endif
  Tuner tuner(TuneMode::on, here);
  std::byte byte{};
  const Tuner::Memory changed[] = {{&byte, std::size_t{1} << 60}};
  Kernel never;
  EXPECT_EQ(tuner.choose(key, three, queue, never, changed), three[0]);
  EXPECT_EQ(tuner.choose(key, three, queue, never, changed), three[0]);
  EXPECT_TRUE(tuner.take_new().empty());
}

TEST(Tuner, UsesWhatItIsGiven) {
  for (const TuneMode mode : {TuneMode::on, TuneMode::read_only}) {
    Tuner tuner(mode, here);
    const TuneEntry entry = entry_for({0, 3});
    tuner.add({&entry, 1});
    const TuneEntry later = entry_for({0, 2});
    tuner.add({&later, 1});  // the first one stays
    Kernel never;
    EXPECT_EQ(tuner.choose(key, three, queue, never), (Launch{0, 3}));
    EXPECT_TRUE(tuner.take_new().empty());
  }
}

TEST(Tuner, BelievesNoEntryOfOtherMachinesOrCandidates) {
  std::vector<TuneEntry> entries(4, entry_for({0, 3}));
  entries[0].device = "another";
  entries[1].driver = "another";
  entries[2].build = "another";
  entries[3].launch = {0, 4};
  for (const TuneEntry& entry : entries) {
    Kernel kernel{{{1, 20}, {2, 0.5}, {3, 20}}};  // so different that load does not matter
    Tuner reader(TuneMode::read_only, here);
    reader.add({&entry, 1});
    EXPECT_EQ(reader.choose(key, three, queue, kernel), three[0]);
    EXPECT_EQ(kernel.runs, 0);
    Tuner tuner(TuneMode::on, here);
    tuner.add({&entry, 1});
    EXPECT_EQ(tuner.choose(key, three, queue, kernel), (Launch{0, 2}));
    const auto found = tuner.take_new();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].launch, (Launch{0, 2}));
    EXPECT_EQ(found[0].device, here.device);
  }
}

TEST(Tuner, TakesTheDefaultWhereItIsNotAsked) {
  Kernel never;
  for (const TuneMode mode : {TuneMode::off, TuneMode::read_only}) {
    Tuner tuner(mode, here);
    if (mode == TuneMode::off) {
      const TuneEntry entry = entry_for({0, 3});
      tuner.add({&entry, 1});
    }
    EXPECT_EQ(tuner.choose(key, three, Queue(Location::host), never), three[0]);
  }
  Machine gpu = here;
  gpu.location = Location::device;
  Tuner elsewhere(TuneMode::on, gpu);
  EXPECT_EQ(elsewhere.choose(key, three, Queue(Location::host), never), three[0]);
  EXPECT_EQ(tuned(Queue(Location::host), key, three, never), three[0]);
  const auto tuner = std::make_shared<Tuner>(TuneMode::on, here);
  EXPECT_EQ(tuned(Queue(Location::host, tuner), key, std::span(three).first(1), never), three[0]);
  EXPECT_EQ(never.runs, 0);
  EXPECT_THROW(tuned(Queue(Location::host), key, {}, never), Error);
}

TEST(Machine, IsNamed) {
  for (const Location location : test::locations()) {
    const Machine machine = machine_at(location, "1.2.3+gabc");
    EXPECT_EQ(machine.location, location);
    EXPECT_FALSE(machine.device.empty());
    EXPECT_FALSE(machine.driver.empty());
    EXPECT_TRUE(machine.build.starts_with("1.2.3+gabc ")) << machine.build;
    EXPECT_EQ(machine.build.size(), std::strlen("1.2.3+gabc 01234567"));
    EXPECT_EQ(machine, machine_at(location, "1.2.3+gabc"));
  }
}

constexpr int batch = 5;

Field make(const GeometryPtr& g, int subfields, Precision precision, Location location, unsigned seed) {
  Field host(g, {Subset::full, 2, 1, subfields, precision, Location::host});
  std::mt19937_64 generator(seed);
  test::for_reals(host, [&](int subfield, int parity, int s, int r) {
    set_real(host, subfield, parity, s, r, static_cast<double>(generator() >> 11) * 0x1p-53 - 0.5);
  });
  return test::copied(host, test::with(host.spec(), precision, location));
}

std::vector<double> numbers(const Field& field) {
  const Field host = test::copied(field, test::with(field.spec(), field.precision(), Location::host));
  std::vector<double> all;
  test::for_reals(host, [&](int subfield, int parity, int s, int r) {
    all.push_back(get_real(host, subfield, parity, s, r));
  });
  return all;
}

// One launch, given or tuned, on fields that are always the same.
std::vector<double> result(const GeometryPtr& g, Precision precision, const Queue& queue, const Launch* given,
                           Launch* launched = nullptr) {
  const Field m = make(g, 1, precision, queue.location(), 1),
              x = make(g, batch, precision, queue.location(), 2);
  const Field y = make(g, batch, precision, queue.location(), 3);
  dispatch(queue.location(), precision, [&](auto kind) {
    using K = decltype(kind);
    const Launch launch =
        test::multiply_and_add<typename K::target, typename K::scalar>(m, x, y, queue, given);
    if (launched != nullptr) *launched = launch;
  });
  queue.synchronize();
  return numbers(y);
}

TEST(Tuned, KernelsGiveTheSameBitsAtEveryLaunch) {
  for (const Location location : test::locations())
    for (const Precision precision : {Precision::single_precision, Precision::double_precision})
      for (const Extents& extents : {Extents{2, 2, 2, 2}, Extents{10, 6, 2, 14}}) {
        const auto g = Geometry::create({extents});
        const auto candidates = test::multiply_and_add_candidates(location);
        const auto expected = result(g, precision, Queue(location), candidates.data());
        EXPECT_NE(expected, numbers(make(g, batch, precision, location, 3)));
        for (const Launch& launch : candidates)
          EXPECT_EQ(result(g, precision, Queue(location), &launch), expected) << to_string(launch);

        // Whatever entry the tuner has, and when it times for itself, in place.
        for (const Launch& launch : candidates) {
          auto tuner = std::make_shared<Tuner>(TuneMode::read_only, machine_at(location, "1"));
          const Machine& machine = tuner->machine();
          const TuneEntry entry{"multiply_and_add",
                                std::string(name_of(precision)),
                                extents,
                                0,
                                batch,
                                machine.device,
                                machine.driver,
                                machine.build,
                                launch,
                                1,
                                1,
                                {}};
          tuner->add({&entry, 1});
          Launch launched;
          EXPECT_EQ(result(g, precision, Queue(location, tuner), nullptr, &launched), expected);
          EXPECT_EQ(launched, launch);
        }
        auto tuner = std::make_shared<Tuner>(TuneMode::on, machine_at(location, "1"));
        const Queue queue(location, tuner);
        EXPECT_EQ(result(g, precision, queue, nullptr), expected);
        EXPECT_EQ(tuner->take_new().size(), 1u);
        EXPECT_EQ(result(g, precision, queue, nullptr), expected);
        EXPECT_TRUE(tuner->take_new().empty());
      }
}

TEST(Tuned, BlocksBeyondTheKernelAreRefused) {
  const auto g = Geometry::create({{4, 4, 4, 4}});
  for (const Location location : test::locations())
    for (const int block : {288, 16, 100, -32}) {
      const Launch launch{block, 1};
      EXPECT_EQ(test::message_of(ErrorKind::internal,
                                 [&] { result(g, Precision::single_precision, Queue(location), &launch); }),
                "internal error: a block of " + std::to_string(block) +
                    " threads, but the kernel takes a multiple of 32 of at most 256");
    }
}

TEST(Tuned, NothingIsTimedIntoAGraph) {
#if defined(PLAQ_WITH_CUDA)
  if (device_count() > 0) {
    auto tuner = std::make_shared<Tuner>(TuneMode::on, machine_at(Location::device, "1"));
    const Queue queue(Location::device, tuner);
    const auto stream = static_cast<cudaStream_t>(queue.stream());
    Kernel never;
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    EXPECT_TRUE(queue.capturing());
    EXPECT_EQ(tuned(queue, key, three, never), three[0]);
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    cudaGraphDestroy(graph);
    EXPECT_FALSE(queue.capturing());
    EXPECT_EQ(never.runs, 0);
    EXPECT_TRUE(tuner->take_new().empty());
    return;
  }
#endif
  EXPECT_FALSE(Queue(Location::host).capturing());
}

}  // namespace
}  // namespace plaq

// Vector updates of some right-hand sides of a batch: those get the very bits of the same column alone, the
// others keep theirs, and their sums are 0.
#include <cstring>
#include <map>
#include <string>

#include "core/launch/tuning.hpp"
#include "kernels/blas/convert.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "tests/kernels/blas/blas_support.hpp"

namespace plaq {
namespace {

using test::coefficients, test::converted;

constexpr Precision precisions[] = {Precision::half_precision, Precision::single_precision,
                                    Precision::double_precision};

// Spinors, vectors that no kernel is compiled for, and spinors in five dimensions.
constexpr test::VectorShape shapes[] = {{4, 1}, {1, 1, 5}, {4, 3}};

struct Chosen {
  int batch;
  std::vector<char> active;
};

// Below, at and above the number of sets that travel with a launch.
std::vector<Chosen> subsets() {
  std::vector<Chosen> all;
  for (const int batch : {1, 5, 16, 17, 21}) {
    const auto add = [&](auto&& is_active) {
      Chosen s{batch, std::vector<char>(static_cast<std::size_t>(batch))};
      for (int i = 0; i < batch; ++i) s.active[static_cast<std::size_t>(i)] = is_active(i);
      all.push_back(s);
    };
    add([](int) { return false; });
    add([](int) { return true; });
    add([&](int i) { return i == batch - 1; });
    add([](int i) { return i % 3 == 1; });
    add([](int i) { return i != 2; });
  }
  return all;
}

// Vectors of a kind, drawn once; with another seed, others in each place.
Field random_batch(const GeometryPtr& g, Subset subset, int batch, Precision precision, unsigned seed,
                   const test::VectorShape& shape = {}) {
  static std::map<std::string, Field> known;
  const auto all = shape.spec(subset, 64, Precision::double_precision, Location::host);
  const std::string key = to_string(g->global()) + test::describe(all);
  if (!known.contains(key)) known.emplace(key, test::random_vectors(g, all, 1));
  const Field& columns = known.at(key);
  Field f(columns.geometry_ptr(), shape.spec(subset, batch, Precision::double_precision, Location::host));
  for (int subfield = 0; subfield < f.subfields(); ++subfield)
    copy_subfield(f, subfield, columns, subfield + 7 * static_cast<int>(seed) * shape.Ls);
  Field narrow(g, shape.spec(subset, batch, precision, Location::host));
  copy(narrow, f);
  return narrow;
}

Field column(const Field& from, int right_hand_side) {
  auto spec = from.spec();
  spec.subfields = spec.Ls;
  Field one(from.geometry_ptr(), spec);
  for (int s = 0; s < spec.Ls; ++s) copy_subfield(one, s, from, right_hand_side * spec.Ls + s);
  return one;
}

bool same_bits(const Field& a, const Field& b) {
  const Field x = converted(a, Location::host), y = converted(b, Location::host);
  const int parity = x.holds(0) ? 0 : 1;
  return x.bytes() == y.bytes() && std::memcmp(x.data(0, parity), y.data(0, parity), x.bytes()) == 0;
}

// run(work, c, fields), of a batch and of each of its columns alone, returns sums, `sums` a right-hand side.
template <class Run>
void expect_columns(const std::vector<Field>& before, const std::vector<char>& active, std::size_t sums,
                    Run&& run) {
  const auto c = coefficients(active);
  const Queue queue(before[0].location());
  std::vector<Field> after;
  for (const Field& f : before) after.push_back(converted(f, f.location()));
  blas::Workspace work(queue, before[0].batch()), one(queue, 1);
  const std::vector<ExactSum> found = run(work, c, after);
  queue.synchronize();
  ASSERT_EQ(found.size(), sums * active.size());
  for (std::size_t subfield = 0; subfield < active.size(); ++subfield) {
    SCOPED_TRACE("right-hand side " + std::to_string(subfield) + " of " + std::to_string(active.size()));
    std::vector<Field> alone;
    for (const Field& f : before) alone.push_back(column(f, static_cast<int>(subfield)));
    std::vector<ExactSum> expected(sums);
    if (active[subfield]) expected = run(one, {c[subfield]}, alone);
    queue.synchronize();
    for (std::size_t i = 0; i < after.size(); ++i)
      ASSERT_TRUE(same_bits(column(after[i], static_cast<int>(subfield)), alone[i])) << "vector " << i;
    for (std::size_t k = 0; k < sums; ++k)
      ASSERT_EQ(found[sums * subfield + k].round(), expected[k].round()) << "sum " << k;
  }
}

template <class Op>
void expect_operation() {
  for (const auto& s : subsets())
    for (const Subset subset : {Subset::full, Subset::odd})
      for (const Precision precision : precisions)
        for (const auto& shape : shapes)
          for (const Location location : test::locations()) {
            const auto g = Geometry::create({{6, 2, 4, 6}});
            std::vector<Field> before;
            for (unsigned i = 0; i < Op::vectors; ++i)
              before.push_back(converted(random_batch(g, subset, s.batch, precision, i, shape), location));
            expect_columns(before, s.active, static_cast<std::size_t>(Op::sums), test::run<Op>);
          }
}

TEST(BlasActive, Zero) { expect_operation<blas::Zero>(); }
TEST(BlasActive, Axpby) { expect_operation<blas::Axpby>(); }
TEST(BlasActive, BicgstabUpdate) { expect_operation<blas::BicgstabUpdate>(); }
TEST(BlasActive, Dot) { expect_operation<blas::Dot>(); }
TEST(BlasActive, AxpyNorm) { expect_operation<blas::AxpyNorm>(); }
TEST(BlasActive, MrUpdate) { expect_operation<blas::MrUpdate>(); }
TEST(BlasActive, BicgstabDots) { expect_operation<blas::BicgstabDots>(); }

// To and from every other precision, with and without a gauge frame.
TEST(BlasActive, Convert) {
  const auto g = Geometry::create({{6, 2, 4, 6}});
  const Field frame = test::random_frame(g);
  for (const auto& s : subsets())
    for (const Precision to : precisions)
      for (const Precision from : precisions)
        for (const auto& shape : shapes)
          for (const bool framed : {false, true})
            for (const Location location : test::locations()) {
              if (framed && (to == from || shape.colors != 3)) continue;
              const Field there = converted(frame, location);
              std::vector<Field> before;
              before.push_back(converted(random_batch(g, Subset::even, s.batch, to, 1, shape), location));
              before.push_back(converted(random_batch(g, Subset::even, s.batch, from, 2, shape), location));
              before.push_back(converted(random_batch(g, Subset::even, s.batch, to, 3, shape), location));
              expect_columns(before, s.active, 0,
                             [&](blas::Workspace& work, const std::vector<blas::Coefficients>& c,
                                 std::vector<Field>& v) {
                               blas::convert(work, c, v[0], v[1], framed ? &there : nullptr);
                               blas::add_converted(work, c, v[2], v[1], framed ? &there : nullptr);
                               return std::vector<ExactSum>();
                             });
            }
}

// A change of nobody leaves a field's version alone, and the tuner has nothing to time.
TEST(BlasActive, NobodyIsNoLaunch) {
  const auto g = Geometry::create({{4, 4, 4, 4}});
  for (const Location location : test::locations()) {
    const auto tuner = std::make_shared<Tuner>(TuneMode::on, machine_at(location, "1"));
    const Queue queue(location, tuner);
    const auto c = coefficients(std::vector<char>(3));
    Field to = converted(random_batch(g, Subset::full, 3, Precision::single_precision, 1), location);
    const Field from = converted(random_batch(g, Subset::full, 3, Precision::double_precision, 2), location);
    blas::Workspace work(queue, 3);
    const auto version = to.version();
    blas::convert(work, c, to, from);
    EXPECT_EQ(to.version(), version);
    blas::update<blas::Zero>(work, c, {&to});
    EXPECT_TRUE(tuner->take_new().empty());
  }
}

// More sets of a large batch in flight than the workspace has places for, changed as soon as they are sent.
TEST(BlasActive, LargeBatchesInFlight) {
  const auto g = Geometry::create({{4, 4, 4, 4}});
  constexpr int batch = 21;
  for (const Location location : test::locations()) {
    Field ones(g, spinor_spec(Subset::full, batch, Precision::double_precision, Location::host));
    for (int subfield = 0; subfield < batch; ++subfield) set_real(ones, subfield, 1, 17, 0, 1);
    const Field x = converted(ones, location);
    const Field y = converted(Field(g, ones.spec()), location);
    const Queue queue(location);
    blas::Workspace work(queue, batch);
    std::vector<blas::Coefficients> c(batch);
    for (int i = 1; i <= 100; ++i) {  // 20 sets, and now and then one
      for (int subfield = 0; subfield < batch; ++subfield)
        c[static_cast<std::size_t>(subfield)] = {(i % 5 == 0 ? subfield == 9 : subfield != 4) ? 1.0 : 0.0,
                                                 {1.0 * i * (subfield + 1), 0}};
      blas::update<blas::Axpy>(work, c, {&x, &y});
    }
    queue.synchronize();
    const Field got = converted(y, Location::host);
    for (int subfield = 0; subfield < batch; ++subfield) {
      const int fifth = 1050, steps = subfield == 9 ? 5050 : subfield == 4 ? 0 : 5050 - fifth;
      EXPECT_EQ(get_real(got, subfield, 1, 17, 0), steps * (subfield + 1)) << subfield;
    }
  }
}

TEST(BlasActive, RefusesOtherBatches) {
  const auto g = Geometry::create({{4, 4, 4, 4}});
  const Field x = random_batch(g, Subset::odd, 3, Precision::double_precision, 1);
  const Queue queue(Location::host);
  blas::Workspace work(queue, 4);
  EXPECT_THROW(blas::update<blas::Zero>(work, std::vector<blas::Coefficients>(3), {&x}), Error);
  EXPECT_THROW(blas::update<blas::Zero>(work, std::vector<blas::Coefficients>(4), {&x}), Error);
}

}  // namespace
}  // namespace plaq

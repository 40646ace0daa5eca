// Every vector update against its formula, written as a plain loop; right-hand sides that are not active are
// not read.
#include "kernels/blas/blas.hpp"
#include "kernels/blas/krylov_operations.hpp"

#include <cmath>
#include <cstring>

#include "kernels/blas/changed_memory.hpp"
#include "kernels/quark/sources.hpp"
#include "tests/kernels/blas/blas_support.hpp"

namespace plaq {
namespace {

using test::at, test::batch, test::converted, test::inactive, test::random_field, test::Z;

const Z coefficient[3] = {{0.75, -0.5}, {-1.25, 0.375}, {0.5, 2.0}};  // times 1 + right-hand side

// plain(v, c, sum): v are the vectors' components at one place, changed as Op says; sum gets its terms added.
template <class Op, class Plain>
void expect_operation(Plain&& plain) {
  constexpr std::size_t vectors = Op::vectors;
  for (const auto& extents : {Extents{4, 2, 6, 4}, Extents{10, 6, 4, 8}})
    for (const Subset subset : {Subset::full, Subset::even, Subset::odd})
      for (const Precision precision : {Precision::double_precision, Precision::single_precision})
        for (const auto& shape : test::vector_shapes)
          for (const Location location : test::locations()) {
            const auto g = Geometry::create({extents});
            std::vector<Field> before, fields;
            for (std::size_t i = 0; i < vectors; ++i) {
              before.push_back(random_field(g, subset, precision, static_cast<unsigned>(i), shape));
              fields.push_back(converted(before[i], location));
            }
            SCOPED_TRACE(to_string(extents) + " " + test::describe(fields[0].spec()));
            std::vector<blas::Coefficients> c(batch);
            for (int rhs = 0; rhs < batch; ++rhs) {
              auto& mine = c[static_cast<std::size_t>(rhs)];
              mine.active = rhs != inactive;
              for (int k = 0; k < 6; ++k) {
                const Z z = coefficient[k / 2] * (1.0 + rhs);
                mine.value[k] = k % 2 == 0 ? z.real() : z.imag();
              }
            }
            const Queue queue(location);
            blas::Workspace work(queue, batch);
            const auto sums = test::run<Op>(work, c, fields);
            queue.synchronize();

            const double tolerance = precision == Precision::double_precision ? 1e-14 : 1e-5;
            std::vector<test::Vectors> old, after;
            for (std::size_t i = 0; i < vectors; ++i) {
              old.push_back(test::to_vectors(before[i]));
              after.push_back(test::to_vectors(fields[i]));
            }
            for (std::size_t rhs = 0; rhs < batch; ++rhs) {
              std::array<long double, 7> expected{};
              long double scale = 0;
              Z v[vectors], mine[3];
              for (int j = 0; j < 3; ++j) mine[j] = coefficient[j] * (1.0 + static_cast<double>(rhs));
              for (std::size_t n = 0; n < old[0][rhs].size(); ++n) {
                for (std::size_t i = 0; i < vectors; ++i) v[i] = old[i][rhs][n];
                if (rhs != inactive) plain(v, mine, expected);
                for (std::size_t i = 0; i < vectors; ++i) {
                  const Z got = after[i][rhs][n], was = old[i][rhs][n];
                  if (rhs == inactive) {
                    ASSERT_TRUE(got == was ||
                                (std::isnan(was.real()) && std::isnan(got.real()) && std::isnan(got.imag())));
                    continue;
                  }
                  if ((Op::writes >> i) & 1u) {
                    ASSERT_LE(std::abs(got - v[i]), 20 * tolerance) << "vector " << i;
                  } else {
                    ASSERT_EQ(got, v[i]) << "vector " << i;  // what is only read stays as it was
                  }
                  scale += std::norm(v[i]);
                }
              }
              for (std::size_t k = 0; k < static_cast<std::size_t>(Op::sums); ++k) {
                const double got = sums[rhs * Op::sums + k].round();
                if (rhs == inactive) {
                  ASSERT_EQ(got, 0) << "sum " << k;
                } else {
                  ASSERT_LE(std::abs(got - static_cast<double>(expected[k])),
                            tolerance * static_cast<double>(scale))
                      << "sum " << k;
                }
              }
            }
          }
}

void add_dot(std::array<long double, 7>& sum, std::size_t first, Z a, Z b) {
  sum[first] += (std::conj(a) * b).real();
  sum[first + 1] += (std::conj(a) * b).imag();
}

TEST(Blas, Copy) {
  expect_operation<blas::Copy>([](auto& v, auto&, auto&) { v[1] = v[0]; });
}
TEST(Blas, Triad) {
  expect_operation<blas::Triad>([](auto& v, auto& c, auto&) { v[2] = v[0] + c[0] * v[1]; });
}
TEST(Blas, Norm) {
  expect_operation<blas::Norm>([](auto& v, auto&, auto& sum) { sum[0] += std::norm(v[0]); });
}
TEST(Blas, Dot) {
  expect_operation<blas::Dot>([](auto& v, auto&, auto& sum) { add_dot(sum, 0, v[0], v[1]); });
}
TEST(Blas, DotNorm) {
  expect_operation<blas::DotNorm>([](auto& v, auto&, auto& sum) {
    add_dot(sum, 0, v[0], v[1]);
    sum[2] += std::norm(v[0]);
  });
}
TEST(Blas, Residual) {
  expect_operation<blas::Residual>([](auto& v, auto&, auto& sum) {
    v[2] = v[0] - v[1];
    sum[0] += std::norm(v[2]);
  });
}
TEST(Blas, Zero) {
  expect_operation<blas::Zero>([](auto& v, auto&, auto&) { v[0] = 0; });
}
TEST(Blas, Scale) {
  expect_operation<blas::Scale>([](auto& v, auto& c, auto&) { v[1] = c[0] * v[0]; });
}
TEST(Blas, Axpby) {
  expect_operation<blas::Axpby>([](auto& v, auto& c, auto&) { v[1] = c[0] * v[0] + c[1] * v[1]; });
}
TEST(Blas, Axpy) {
  expect_operation<blas::Axpy>([](auto& v, auto& c, auto&) { v[1] += c[0] * v[0]; });
}
TEST(Blas, AxpyNorm) {
  expect_operation<blas::AxpyNorm>([](auto& v, auto& c, auto& sum) {
    v[1] += c[0] * v[0];
    sum[0] += std::norm(v[1]);
  });
}
TEST(Blas, CgDirection) {
  expect_operation<blas::CgDirection>([](auto& v, auto& c, auto&) {
    v[2] += c[0] * v[1];
    v[1] = c[1] * v[0] + c[2] * v[1];
  });
}
TEST(Blas, CraigDirection) {
  expect_operation<blas::CraigDirection>([](auto& v, auto& c, auto& sum) {
    v[2] += c[0] * v[1];
    v[1] = c[1] * v[0] + c[2] * v[1];
    sum[0] += std::norm(v[1]);
  });
}
TEST(Blas, BicgstabDots) {
  expect_operation<blas::BicgstabDots>([](auto& v, auto&, auto& sum) {
    add_dot(sum, 0, v[0], v[1]);
    sum[2] += std::norm(v[0]);
    add_dot(sum, 3, v[2], v[0]);
    add_dot(sum, 5, v[2], v[1]);
  });
}
TEST(Blas, BicgstabUpdate) {
  expect_operation<blas::BicgstabUpdate>([](auto& v, auto& c, auto&) {
    v[4] += c[0] * v[2] + c[1] * v[3];
    v[3] -= c[1] * v[0];
    v[2] = v[3] + c[2] * (v[2] - c[1] * v[1]);
  });
}
TEST(Blas, MrUpdate) {
  expect_operation<blas::MrUpdate>([](auto& v, auto& c, auto& sum) {
    v[2] += c[0] * v[1];
    v[1] -= c[0] * v[0];
    sum[0] += std::norm(v[1]);
  });
}
TEST(Blas, PairStep) {
  expect_operation<blas::PairStep>([](auto& v, auto& c, auto&) {
    v[0] = c[0] * v[1] + c[1] * v[0];
    v[2] += v[0];
  });
}
TEST(Blas, Difference) {
  expect_operation<blas::Difference>([](auto& v, auto&, auto&) { v[2] = v[0] - v[1]; });
}
TEST(Blas, ThreeDots) {
  expect_operation<blas::ThreeDots>([](auto& v, auto&, auto& sum) {
    for (std::size_t k = 0; k < 3; ++k) add_dot(sum, 2 * k, v[k], v[3]);
  });
}
TEST(Blas, ThreeAxpys) {
  expect_operation<blas::ThreeAxpys>(
      [](auto& v, auto& c, auto&) { v[3] += c[0] * v[0] + c[1] * v[1] + c[2] * v[2]; });
}

// Several sums that are fetched together are those of separate fetches.
TEST(Blas, SumsFetchedTogether) {
  for (const Location location : test::locations()) {
    const auto g = Geometry::create({{4, 4, 4, 4}});
    const Field x = converted(random_field(g, Subset::full, Precision::double_precision, 1), location);
    const Field y = converted(random_field(g, Subset::full, Precision::double_precision, 2), location);
    const Queue queue(location);
    blas::Workspace work(queue, batch);
    std::vector<blas::Coefficients> c(batch);
    c[inactive].active = 0;
    const auto norm = blas::update_and_sum<blas::Norm>(work, c, {&x});
    const auto dots = blas::update_and_sum<blas::DotNorm>(work, c, {&x, &y});
    const auto first = static_cast<std::size_t>(blas::update_and_add<blas::DotNorm>(work, c, {&x, &y}));
    const auto second = static_cast<std::size_t>(blas::update_and_add<blas::Norm>(work, c, {&x}));
    auto both = work.fetch_sums();
    ASSERT_EQ(both.size(), dots.size() + norm.size());
    for (std::size_t i = 0; i < dots.size(); ++i) EXPECT_EQ(both[first + i].round(), dots[i].round());
    for (std::size_t i = 0; i < norm.size(); ++i) EXPECT_EQ(both[second + i].round(), norm[i].round());
    EXPECT_THROW(for (int k = 0; k < 25; ++k) blas::update_and_add<blas::Norm>(work, c, {&x}), Error);
  }
}

TEST(Blas, SliceNorms) {
  for (const auto& extents : {Extents{4, 2, 6, 4}, Extents{10, 6, 4, 8}})
    for (const Subset subset : {Subset::full, Subset::odd})
      for (const Precision precision : {Precision::double_precision, Precision::single_precision})
        for (const int spins : {4, 1})
          for (const Location location : test::locations()) {
            const auto g = Geometry::create({extents});
            const Field host = random_field(g, subset, precision, 5, {spins, 1}),
                        field = converted(host, location);
            const auto sums = blas::slice_norms(field, Queue(location));
            ASSERT_EQ(sums.size(), static_cast<std::size_t>(batch * extents[3]));
            std::vector<long double> expected(sums.size());
            for (int subfield = 0; subfield < batch; ++subfield)
              for (int parity = 0; parity < 2; ++parity)
                for (int s = 0; host.holds(parity) && s < host.layout().sites; ++s)
                  for (int k = 0; k < 3 * spins; ++k)
                    expected[static_cast<std::size_t>(subfield * extents[3] +
                                                      g->shape().coordinates(parity, s).x[3])] +=
                        std::norm(at(host, subfield, parity, s, k));
            for (std::size_t i = 0; i < sums.size(); ++i) {
              const double got = sums[i].round(), want = static_cast<double>(expected[i]);
              if (static_cast<int>(i) / extents[3] == inactive) {
                EXPECT_TRUE(std::isnan(got));  // here all take part
              } else {
                EXPECT_NEAR(got, want, 1e-14 * want);
              }
            }
          }
}

// In four and in five dimensions, slice by slice, with the norms of what was copied.
TEST(Blas, CopySlices) {
  const Extents extents{4, 2, 6, 4};
  for (const Precision precision : {Precision::double_precision, Precision::single_precision})
    for (const int Ls : {1, 3})
      for (const Location location : test::locations()) {
        const auto g = Geometry::create({extents});
        FieldSpec spec = five_dimensional_spec(Subset::full, 2, Ls, precision, location);
        Field from(g, spec), to(g, spec);
        random_source(from, Noise::u1, 7);
        const Queue queue(location);
        const std::vector<char> wanted = {1, 0, 0, 1, 0, 0, 1, 0};
        blas::copy_slices(to, from, wanted, queue);
        auto norms = blas::slice_norms(to, queue), all = blas::slice_norms(from, queue);
        ASSERT_EQ(norms.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          EXPECT_NEAR(all[i].round(), 12 * Ls * 4 * 2 * 6, 1e-3);
          EXPECT_EQ(norms[i].round(), wanted[i] ? all[i].round() : 0) << i;
        }
        blas::copy_slices(to, from, std::vector<char>(8, 1), queue);
        const Field copied = converted(to, Location::host), original = converted(from, Location::host);
        int wrong = 0;
        for (int subfield = 0; subfield < to.subfields(); ++subfield)
          for (int parity = 0; parity < 2; ++parity)
            for (int s = 0; s < to.layout().sites; ++s)
              for (int real = 0; real < 24; ++real)
                wrong += get_real(copied, subfield, parity, s, real) !=
                         get_real(original, subfield, parity, s, real);
        EXPECT_EQ(wrong, 0);
        EXPECT_THROW(blas::copy_slices(to, from, {1, 1}, queue), Error);
      }
}

// The coefficients may be changed at once, and more updates be in flight than the workspace has places for.
TEST(Blas, ManyUpdatesInFlight) {
  for (const Location location : test::locations()) {
    const auto g = Geometry::create({{4, 4, 4, 4}});
    const auto spec = spinor_spec(Subset::full, 1, Precision::double_precision, Location::host);
    Field one(g, spec);
    set_real(one, 0, 1, 17, 0, 1);
    const Field x = converted(one, location);
    Field y = converted(Field(g, spec), location);
    const Queue queue(location);
    blas::Workspace work(queue, 1);
    std::vector<blas::Coefficients> c(1);
    for (int i = 1; i <= 100; ++i) {
      c[0].value[0] = i;
      c[0].value[1] = -2 * i;
      blas::update<blas::Axpy>(work, c, {&x, &y});
    }
    queue.synchronize();
    EXPECT_EQ(at(converted(y, Location::host), 0, 1, 17, 0), Z(5050, -10100));
  }
}

TEST(Blas, TheTunerKnowsWhatAnUpdateChanges) {
  const auto g = Geometry::create({{4, 2, 6, 4}});
  const auto spec = spinor_spec(Subset::odd, 2, Precision::single_precision, Location::host);
  const Field x(g, spec), y(g, spec), z(g, spec);
  const auto none = [](const Tuner::Memory& m) { return m.empty(); };
  const auto all_of = [](const Tuner::Memory& m, const Field& f) {
    return m.data() == static_cast<std::byte*>(f.data(0, 1)) && m.size() == f.bytes();
  };
  const auto axpy = blas::changed_by<blas::Axpy>({&x, &y});
  EXPECT_TRUE(none(axpy[0]) && all_of(axpy[1], y));
  const auto copy = blas::changed_by<blas::Copy>({&x, &y});
  EXPECT_TRUE(none(copy[0]) && none(copy[1]));
  const auto triad = blas::changed_by<blas::Triad>({&x, &y, &z});
  EXPECT_TRUE(none(triad[0]) && none(triad[1]) && none(triad[2]));
  const auto in_place = blas::changed_by<blas::Triad>({&x, &y, &x});
  EXPECT_TRUE(none(in_place[0]) && none(in_place[1]) && all_of(in_place[2], x));
}

TEST(Blas, TunedUpdatesHappenOnce) {
  const auto g = Geometry::create({{10, 6, 4, 8}});
  for (const Location location : test::locations())
    for (const Subset subset : {Subset::full, Subset::odd})
      for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
        const Field x = converted(random_field(g, subset, precision, 1), location);
        std::vector<blas::Coefficients> c(batch);
        for (int i = 0; i < batch; ++i)
          c[static_cast<std::size_t>(i)] = {i == inactive ? 0.0 : 1.0, {0.5 + i, 0.25}};
        const auto axpy = [&](const Queue& queue) {
          const Field y = converted(random_field(g, subset, precision, 2), location);
          blas::Workspace work(queue, batch);
          blas::update<blas::Axpy>(work, c, {&x, &y});
          queue.synchronize();
          return converted(y, Location::host);
        };
        const auto tuner = std::make_shared<Tuner>(TuneMode::on, machine_at(location, "1"));
        const Queue tuned(location, tuner);
        const Field expected = axpy(Queue(location)), got = axpy(tuned);
        EXPECT_EQ(std::memcmp(got.data(0, subset == Subset::odd), expected.data(0, subset == Subset::odd),
                              expected.bytes()),
                  0);
        const auto found = tuner->take_new();
        ASSERT_EQ(found.size(), location == Location::host ? 0u : 1u);  // a host has nothing to choose
        if (!found.empty()) {
          EXPECT_EQ(found[0].kernel, "axpy");
          EXPECT_EQ(found[0].storage, name_of(precision));
        }
        axpy(tuned);
        EXPECT_TRUE(tuner->take_new().empty()) << "timed again";
      }
}

}  // namespace
}  // namespace plaq

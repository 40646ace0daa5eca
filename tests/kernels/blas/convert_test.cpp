// Vectors from one precision to another, and from one gauge to another, against plain loops.
#include "kernels/blas/convert.hpp"

#include <cmath>

#include "tests/kernels/blas/blas_support.hpp"

namespace plaq {
namespace {

using test::at, test::batch, test::converted, test::inactive, test::random_field, test::Z;

// Between precisions, with numbers that the lower one could not hold before they are scaled.
TEST(Convert, BetweenPrecisions) {
  const auto g = Geometry::create({{4, 4, 4, 4}});
  for (const Location location : test::locations())
    for (const auto& shape : test::vector_shapes)
      for (const Precision low : {Precision::double_precision, Precision::single_precision}) {
        const Queue queue(location);
        blas::Workspace work(queue, batch);
        Field from = random_field(g, Subset::odd, Precision::double_precision, 1, shape);
        Field to = converted(random_field(g, Subset::odd, low, 2, shape), location);
        Field x = converted(random_field(g, Subset::odd, Precision::double_precision, 3, shape), location);
        const Field before = converted(x, Location::host);
        std::vector<blas::Coefficients> c(batch);
        const double tiny = 0x1p-200;
        for (int subfield = 0; subfield < batch; ++subfield) {
          auto& mine = c[static_cast<std::size_t>(subfield)];
          mine.active = subfield != inactive;
          mine.value[0] = (subfield + 1) / tiny;
          for (int place = subfield * shape.Ls; place < (subfield + 1) * shape.Ls; ++place)
            for (int s = 0; s < from.layout().sites; ++s)
              for (int r = 0; r < from.reals_per_site(); ++r)
                set_real(from, place, 1, s, r, tiny * get_real(from, place, 1, s, r));
        }
        blas::convert(work, c, to, converted(from, location));
        for (int subfield = 0; subfield < batch; ++subfield)
          c[static_cast<std::size_t>(subfield)].value[0] = 0.125;
        blas::add_converted(work, c, x, to);
        queue.synchronize();
        const Field got = converted(to, Location::host), sum = converted(x, Location::host);
        const double rounding = low == Precision::double_precision ? 1e-15 : 1e-6;
        for (int place = 0; place < got.subfields(); ++place)
          for (int s = 0; s < got.layout().sites; ++s)
            for (int k = 0; k < shape.components(); ++k) {
              const int subfield = place / shape.Ls;
              const Z z = at(got, place, 1, s, k), after = at(sum, place, 1, s, k);
              if (subfield == inactive) {
                ASSERT_TRUE(std::isnan(z.real()) && std::isnan(after.real()));
              } else {
                ASSERT_LE(std::abs(z - (subfield + 1) / tiny * at(from, place, 1, s, k)),
                          rounding * (subfield + 1));
                ASSERT_LE(std::abs(after - (at(before, place, 1, s, k) + 0.125 * z)), 1e-15);
              }
            }
      }
}

// Between two gauges as well: g times what goes inside, g^dagger times what comes out.
TEST(Convert, BetweenGauges) {
  using Low = Precision;
  for (const auto& extents : {Extents{4, 2, 6, 4}, Extents{10, 6, 4, 8}})
    for (const Subset subset : {Subset::full, Subset::even, Subset::odd})
      for (const Location location : test::locations())
        for (const auto& shape : test::vector_shapes)
          for (const auto& [low, high] : {std::pair{Low::single_precision, Low::double_precision},
                                          {Low::half_precision, Low::double_precision},
                                          {Low::half_precision, Low::single_precision}}) {
            if (shape.colors != 3) continue;  // a gauge is of color
            const auto g = Geometry::create({extents});
            const Queue queue(location);
            blas::Workspace work(queue, batch);
            const Field frame = test::random_frame(g), there = converted(frame, location);
            const Field from = random_field(g, subset, high, 1, shape),
                        x = random_field(g, subset, high, 3, shape);
            Field inside = converted(random_field(g, subset, Precision::double_precision, 2, shape), low,
                                     location),
                  sum = converted(x, location);
            const Field before = test::in_double(inside);
            std::vector<blas::Coefficients> c(batch);
            for (int subfield = 0; subfield < batch; ++subfield) {
              c[static_cast<std::size_t>(subfield)].active = subfield != inactive;
              c[static_cast<std::size_t>(subfield)].value[0] = 0.5 * (subfield + 1);
            }
            blas::add_converted(work, c, sum, inside, &there);
            blas::convert(work, c, inside, converted(from, location), &there);
            queue.synchronize();
            const Field in = test::in_double(inside), out = test::in_double(sum);
            const double rounding = low == Low::half_precision ? 3e-4 : 1e-6,
                         fine = high == Low::double_precision ? 1e-14 : 1e-6;
            for (int place = 0; place < from.subfields(); ++place)
              for (int parity = 0; parity < 2; ++parity)
                for (int s = 0; from.holds(parity) && s < from.layout().sites; ++s)
                  for (int k = 0; k < shape.components(); ++k) {
                    const int subfield = place / shape.Ls;
                    Z inward = 0, outward = 0;
                    for (int j = 0; j < 3; ++j) {
                      inward += at(frame, 0, parity, s, 3 * (k % 3) + j) *
                                at(from, place, parity, s, k / 3 * 3 + j);
                      outward += std::conj(at(frame, 0, parity, s, 3 * j + k % 3)) *
                                 at(before, place, parity, s, k / 3 * 3 + j);
                    }
                    const double scale = 0.5 * (subfield + 1);
                    const Z found = at(in, place, parity, s, k), added = at(out, place, parity, s, k);
                    if (subfield == inactive) {
                      ASSERT_TRUE(std::isnan(added.real()));
                    } else {
                      ASSERT_LE(std::abs(found - scale * inward), rounding);
                      ASSERT_LE(std::abs(added - (at(x, place, parity, s, k) + scale * outward)), fine);
                    }
                  }
            EXPECT_THROW(blas::convert(work, c, sum, sum, &there), Error);
            EXPECT_THROW(blas::add_converted(work, c, sum, sum, &there), Error);
          }
}

}  // namespace
}  // namespace plaq

// The halo of an extended gauge field: every halo site, corners included, holds what its owner has.
#include "comms/halo/extended_halo.hpp"

#include <fmt/format.h>

#include "comms/transport/transport_checked.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/system/error.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

constexpr double untouched = -1;

// The first of the 18 that a link has.
double number(const LatticeShape& shape, const Coordinates& c, int mu) {
  return static_cast<double>((shape.global_index(c) * 4 + mu) * 18);
}
bool owned(const LatticeShape& shape, const Coordinates& c) {
  for (int mu = 0; mu < 4; ++mu)
    if (c.x[mu] < shape.halo[mu] || c.x[mu] >= shape.extent[mu] - shape.halo[mu]) return false;
  return true;
}

template <class Visit>
void for_sites(const Field& f, Visit&& visit) {
  const auto& shape = f.geometry().shape();
  for (int parity = 0; parity < 2; ++parity)
    for (int s = 0; s < shape.half_volume; ++s) visit(shape.coordinates(parity, s), parity, s);
}

// `host`; and of halos of depth 1, to save time, the one that is chosen here and the same with checks.
std::vector<std::shared_ptr<Transport>> transports(const ProcessGrid& grid, Location location, int depth) {
  if (depth > 1) return {make_host_transport(grid, location)};
  const auto chosen = choose_transport(grid, location, TransportKind::automatic).transport;
  return {make_host_transport(grid, location), chosen,
          std::make_shared<CheckedTransport>(grid, location, chosen)};
}

class Shell : public testing::TestWithParam<Extents> {};

TEST_P(Shell, HoldsTheOwnersNumbers) {
  const ExtendedHaloContent contents[] = {{}, {0x2, 0x3}, {0xf, 0x1}, {0x9, 0x2}};
  test::Turns turns(5);
  for (const Precision precision : {Precision::single_precision, Precision::double_precision})
    test::for_all_geometries(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& plain,
                                             Location location) {
      for (int depth = 1; depth <= 2; ++depth) {
        if (!turns.mine()) continue;
        SCOPED_TRACE(depth);
        const auto g = plain->extended(depth);
        const auto& shape = g->shape();
        const Queue queue(location);
        Field host(g, gauge_spec(precision, Location::host)), field(g, gauge_spec(precision, location));
        for_sites(host, [&](const Coordinates& c, int parity, int s) {
          for (int mu = 0; mu < 4; ++mu)
            for (int r = 0; r < 18; ++r)
              set_real(host, mu, parity, s, r, owned(shape, c) ? number(shape, c, mu) + r : untouched);
        });
        const auto expect_filled = [&](ExtendedHalo& extended_halo, const ExtendedHaloContent& content) {
          copy(field, host);
          extended_halo.exchange(field, queue, content);
          queue.synchronize();
          Field got(g, gauge_spec(precision, Location::host));
          copy(got, field);
          std::string wrong;  // one link says enough
          for_sites(got, [&](const Coordinates& c, int parity, int s) {
            const bool here = owned(shape, c);
            for (int mu = 0; mu < 4; ++mu) {
              const bool travels = ((content.subfields >> mu) & 1u) && ((content.parities >> parity) & 1u);
              const double first = number(shape, c, mu);
              bool good = true;
              for (int r = 0; r < 18; ++r)
                good = good && get_real(got, mu, parity, s, r) == (travels || here ? first + r : untouched);
              if (!good && wrong.empty())
                wrong = fmt::format("link {} at {} {} {} {}", mu, c.x[0], c.x[1], c.x[2], c.x[3]);
            }
          });
          ASSERT_EQ(wrong, "");
        };
        for (const auto& transport : transports(grid, location, depth)) {
          SCOPED_TRACE(transport->name());
          ExtendedHalo extended_halo(grid, g, field.spec(), transport);
          for (const auto& content : contents)
            if (content.subfields == 0xf || depth == 1) expect_filled(extended_halo, content);
        }
      }
    });
}

INSTANTIATE_TEST_SUITE_P(Extents, Shell, testing::Values(Extents{4, 4, 4, 8}, Extents{8, 12, 4, 6}),
                         [](const auto& info) { return to_string(info.param); });

TEST(ShellErrors, OtherFieldsAreRefused) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto plain = self.geometry({4, 4, 4, 4}, 15), extended = plain->extended(1);
  const auto spec = gauge_spec(Precision::double_precision, Location::host);
  EXPECT_THROW(ExtendedHalo(self, plain, spec, make_host_transport(self, spec.location)), Error);
  ExtendedHalo extended_halo(self, extended, spec, make_host_transport(self, spec.location));
  const Queue queue(Location::host);
  Field other(extended, gauge_spec(Precision::single_precision, Location::host)),
      deeper(plain->extended(2), spec);
  EXPECT_THROW(extended_halo.exchange(other, queue), Error);
  EXPECT_THROW(extended_halo.exchange(deeper, queue), Error);
  // Nothing is split: nothing to do, whatever the field.
  ExtendedHalo none(self, self.geometry({4, 4, 4, 4}), spec, nullptr);
  EXPECT_NO_THROW(none.exchange(other, queue));
}

}  // namespace
}  // namespace plaq

// The halo exchange by itself: a field of site numbers, and ghosts that hold exactly the neighbours' numbers.
#include "comms/halo/halo.hpp"

#include "core/launch/dispatch.hpp"
#include "tests/comms/halo/number_faces.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

static_assert(!std::is_default_constructible_v<HaloRequest>);
static_assert(!std::is_copy_constructible_v<HaloRequest> && !std::is_copy_assignable_v<HaloRequest>);
static_assert(std::is_move_constructible_v<HaloRequest> && !std::is_move_assignable_v<HaloRequest>);
static_assert(!std::is_invocable_v<decltype(&Halo::finish), Halo&, HaloRequest&, const Queue&>);

// Real 0: the site's number in the whole lattice; real 1: right-hand side and round.
Field numbers(const GeometryPtr& g, int batch, int round, Precision precision, Location location) {
  const FieldSpec spec{Subset::full, 1, 1, batch, precision, Location::host};
  Field host(g, spec);
  for (int subfield = 0; subfield < batch; ++subfield)
    for (int parity = 0; parity < g->parities(); ++parity)
      for (int s = 0; s < g->general_shape().parity_sites(parity); ++s) {
        const auto c = g->general_shape().coordinates(parity, s);
        set_real(host, subfield, parity, s, 0, static_cast<double>(g->general_shape().global_index(c)));
        set_real(host, subfield, parity, s, 1, 100 * round + subfield);
      }
  auto there = spec;
  there.location = location;
  Field field(g, there);
  copy(field, host);
  return field;
}

double real_at(const std::vector<char>& bytes, const Layout& layout, Precision precision, int subfield,
               int site, int real) {
  const std::size_t at = static_cast<std::size_t>(subfield) * layout.size() + layout.offset(site, real);
  if (precision == Precision::double_precision) return reinterpret_cast<const double*>(bytes.data())[at];
  return static_cast<double>(reinterpret_cast<const float*>(bytes.data())[at]);
}

// The ghosts of all faces, seen from the sites of the other parity than what was sent.
void expect_ghosts(const Halo& halo, int parity, int batch, int round, Precision precision,
                   Location location) {
  const Geometry& g = halo.geometry();
  const auto& shape = g.general_shape();
  const int here = shape.neighbor_parity(parity);
  for (int d = 0; d < 8; ++d) {
    const int mu = d / 2;
    const bool forward = d % 2 == 0;
    ASSERT_EQ(halo.receive(d) != nullptr, g.partitioned(mu));
    ASSERT_EQ(halo.send(d) != nullptr, g.partitioned(mu));
    if (!g.partitioned(mu)) continue;
    const Layout& layout = halo.face_layout(d);
    std::vector<char> bytes(layout.size() * static_cast<std::size_t>(batch * bytes_of(precision)));
    copy_bytes(bytes.data(), Location::host, halo.receive(d), location, bytes.size());
    int found = 0;
    for (int s = 0; s < shape.parity_sites(here); ++s) {
      const Coordinates c = shape.coordinates(here, s);
      if (c.x[mu] != (forward ? shape.extent[mu] - 1 : 0)) continue;
      std::int64_t neighbor = 0;  // lexicographic, in the whole lattice
      for (int nu = 3; nu >= 0; --nu) {
        const int extent = g.global()[nu];
        const int x = c.x[nu] + g.offset()[nu] + (nu == mu ? (forward ? 1 : extent - 1) : 0);
        neighbor = neighbor * extent + x % extent;
      }
      ++found;
      for (int subfield = 0; subfield < batch; ++subfield) {
        const int face = shape.face_index(mu, c);
        ASSERT_EQ(real_at(bytes, layout, precision, subfield, face, 0), static_cast<double>(neighbor))
            << "hop " << d;
        ASSERT_EQ(real_at(bytes, layout, precision, subfield, face, 1), 100 * round + subfield)
            << "hop " << d;
      }
    }
    ASSERT_LE(found, shape.face_sites(mu));
    if (g.has_lattice_shape()) {
      ASSERT_EQ(found, shape.face_sites(mu));
    }
  }
}

// Exchanges the faces of every parity twice, with the same buffers.
template <class Shape>
void exchange_numbers(const ProcessGrid& grid, const GeometryPtr& g, Location location, Precision precision,
                      int batch) {
  const Queue queue(location);
  Halo halo(grid, g, {2, batch, precision, location}, make_host_transport(grid, location));
  EXPECT_EQ(halo.bytes_sent() == 0, !g->any_partitioned());
  const Field fields[2] = {numbers(g, batch, 0, precision, location),
                           numbers(g, batch, 1, precision, location)};
  for (int round = 0; round < 2 * g->parities(); ++round) {
    const int parity = round / 2;
    auto request = halo.begin(queue, [&](const Queue& moving) {
      dispatch(location, precision, [&](auto kind) {
        using K = decltype(kind);
        if (halo.largest_face() > 0)
          test::launch_pack_numbers<typename K::target, typename K::scalar, Shape>(halo, fields[round % 2],
                                                                                   parity, moving);
      });
    });
    halo.finish(std::move(request), queue);
    queue.synchronize();
    expect_ghosts(halo, parity, batch, round % 2, precision, location);
  }
}

class HaloExchange : public testing::TestWithParam<Extents> {};

TEST_P(HaloExchange, BringsTheNeighborsNumbers) {
  for (const Precision precision : {Precision::single_precision, Precision::double_precision})
    for (const int batch : {1, 3})
      test::for_all_geometries(GetParam(),
                               [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
                                 exchange_numbers<LatticeShape>(grid, g, location, precision, batch);
                               });
}

TEST(GeneralHaloExchange, BringsTheNeighborsNumbers) {
  const auto visit = [](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    exchange_numbers<GeneralShape>(grid, g, location, Precision::double_precision, 2);
  };
  test::for_all_general_geometries({6, 2, 2, 10}, LatticeOrder::checkerboard, visit);
  test::for_all_general_geometries({3, 2, 6, 1}, LatticeOrder::lexicographic, visit);
}

INSTANTIATE_TEST_SUITE_P(Extents, HaloExchange, testing::Values(Extents{4, 4, 4, 8}, Extents{8, 12, 4, 6}),
                         [](const auto& info) { return to_string(info.param); });

std::string said_by(const test::Action& action) { return test::message_of(ErrorKind::internal, action); }

TEST(HaloRequest, IsFinishedOnce) {
  test::for_all_geometries({8, 12, 4, 6}, [&](const ProcessGrid& grid, const GeometryPtr& g,
                                              Location location) {
    const Queue queue(location);
    Halo halo(grid, g, {2, 1, Precision::double_precision, location}, make_host_transport(grid, location));
    const auto nothing = [](const Queue&) {};
    auto request = halo.begin(queue, nothing);
    EXPECT_EQ(said_by([&] { (void)halo.begin(queue, nothing); }),
              "internal error: a halo exchange was begun before the last one was finished");
    auto moved = std::move(request);
    EXPECT_EQ(said_by([&] { halo.finish(std::move(request), queue); }),
              "internal error: a halo exchange was finished twice");
    halo.finish(std::move(moved), queue);
    EXPECT_EQ(said_by([&] { halo.finish(std::move(moved), queue); }),
              "internal error: a halo exchange was finished twice");
    halo.finish(halo.begin(queue, nothing), queue);  // and again
  });
}

// Layers are apart by whole groups of sites, so that each is written as a face alone.
TEST(HaloFaces, Layers) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry({8, 6, 10, 4}, 0b1010);
  HaloSpec spec{6, 2, Precision::single_precision, Location::host};
  spec.site_scale = true;
  spec.layers_ahead = 3, spec.layers_behind = 4;
  const HaloFaces faces(*g, spec);
  std::size_t bytes = 0;
  for (std::size_t d = 0; d < 8; ++d) {
    const int mu = static_cast<int>(d) / 2, layers = d % 2 == 0 ? 3 : 4;
    if (mu % 2 == 0) {
      EXPECT_EQ(faces.message_bytes[d], 0u);
      continue;
    }
    const int sites = g->shape().face_sites(mu);
    EXPECT_EQ(faces.strides[d] % 32, 0);
    EXPECT_GE(faces.strides[d], sites);
    EXPECT_LT(faces.strides[d], sites + 32);
    EXPECT_EQ(faces.layouts[d].sites, (layers - 1) * faces.strides[d] + sites);
    EXPECT_EQ(faces.message_bytes[d], static_cast<std::size_t>(faces.layouts[d].padded_sites) * 2 * 4 * 7);
    bytes += faces.message_bytes[d];
  }
  EXPECT_GE(faces.bytes, bytes);
}

TEST(Halo, NeedsATransportWherePartitioned) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const HaloSpec spec;
  EXPECT_EQ(said_by([&] { Halo(self, self.geometry({4, 4, 4, 4}), spec, nullptr); }), "");
  EXPECT_EQ(said_by([&] {
              Halo(self, self.geometry({4, 4, 4, 4}, 2), spec, nullptr);
            }),
            "internal error: a partitioned lattice needs a transport");
}

}  // namespace
}  // namespace plaq

// Fields that move to fewer ranks and back: every bit of every site, in every storage.
#include "comms/halo/redistribution.hpp"

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/stored_sites.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/numbered_field.hpp"

namespace plaq {
namespace {

using test::bytes_of_field, test::numbered_field;

std::vector<FieldSpec> specs(LatticeOrder order, Location location) {
  const Precision half = Precision::half_precision, single = Precision::single_precision,
                  twice = Precision::double_precision;
  const Order fastest = Order::right_hand_sides_fastest;
  std::vector<FieldSpec> all = {{Subset::full, 2, 5, 3, single, location},
                                {Subset::full, 4, 3, 2, half, location},
                                {Subset::full, 1, 1, 1, twice, location},
                                gauge_spec(half, location),
                                gauge_spec(single, location, 12),
                                coarse_spec(Subset::full, 3, 3, single, location, fastest),
                                coarse_spec(Subset::full, 2, 9, half, location, fastest)};
  if (order == LatticeOrder::checkerboard) {
    all.push_back(spinor_spec(Subset::even, 3, twice, location));
    all.push_back({Subset::odd, 2, 7, 2, half, location});
  }
  return all;
}

std::string text_of(const FieldSpec& s) {
  return std::string(name_of(s.precision)) + " " + std::to_string(s.spins) + "x" + std::to_string(s.colors) +
         " subset " + std::to_string(static_cast<int>(s.subset)) + " subfields " +
         std::to_string(s.subfields) + (s.order == Order::right_hand_sides_fastest ? " fastest" : "");
}

void expect_moves(const ProcessGrid& grid, const GeometryPtr& g, const Extents& merge,
                  const ProcessGrid* merged, const FieldSpec& spec, Location location, std::size_t most_bytes,
                  int times) {
  FieldSpec there = spec;
  there.location = location;
  const GeometryPtr few = merged != nullptr ? merged->general_geometry(g->global(), g->order()) : nullptr;
  const ActiveSet all(spec.batch());
  const Queue queue(spec.location);
  const Queue merged_queue(there.location);
  Redistribution redistribution(grid, merge, g, few, spec, there.location, most_bytes);
  for (int round = 0; round < times; ++round) {  // the same messages again
    const double shift = 0.5 * round;
    const Field spread = numbered_field(g, spec, shift);
    Field gathered, back(g, spec);
    if (few) gathered = Field(few, there);
    const auto version = gathered.version();
    redistribution.gather(few ? &gathered : nullptr, spread, all, queue);
    if (few) {
      EXPECT_EQ(bytes_of_field(gathered), bytes_of_field(numbered_field(few, there, shift)));
      EXPECT_NE(gathered.version(), version);
    }
    redistribution.scatter(back, few ? &gathered : nullptr, all, few ? merged_queue : queue);
    EXPECT_EQ(bytes_of_field(back), bytes_of_field(spread));
  }
}

TEST(Redistribution, MovesEveryBitThereAndBack) {
  const auto visit = [](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    for (const Extents& merge : test::merges(grid.ranks())) {
      const auto merged = merged_grid(grid, merge);
      for (const FieldSpec& spec : specs(g->order(), location)) {
        for (const Location there : test::locations()) {
          SCOPED_TRACE("merging " + to_string(merge) + ": " + text_of(spec) + " to " +
                       std::string(name_of(there)));
          expect_moves(grid, g, merge, merged.get(), spec, there, std::size_t{1} << 26, 1);
        }
      }
    }
  };
  test::for_all_general_geometries({6, 2, 2, 10}, LatticeOrder::checkerboard, visit, {0});
  test::for_all_general_geometries({2, 6, 4, 2}, LatticeOrder::checkerboard, visit, {15});  // t fastest
  test::for_all_general_geometries({3, 2, 6, 1}, LatticeOrder::lexicographic, visit, {0});
}

TEST(Redistribution, CutsLongMessages) {
  const Extents ranks{1, 1, 1, test::world_size()};
  const ProcessGrid grid(MPI_COMM_WORLD, ranks);
  const auto g = grid.general_geometry({2, 1, 3, 3 * ranks[3]}, LatticeOrder::lexicographic);
  const FieldSpec spec{Subset::full, 2, 3, 5, Precision::single_precision, Location::host};
  const auto subfield = stored_site_bytes(spec) * static_cast<std::size_t>(g->local_volume());
  const auto merged = merged_grid(grid, ranks);
  for (const std::size_t most : {std::size_t{1}, subfield, 2 * subfield, 5 * subfield})
    expect_moves(grid, g, ranks, merged.get(), spec, Location::host, most, 2);
}

// Right-hand sides that are not active have what they had, on either side.
TEST(Redistribution, MovesActiveRightHandSidesAlone) {
  const auto visit = [](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Queue queue(location);
    const Extents merge = grid.ranks();
    const auto merged = merged_grid(grid, merge);
    const GeometryPtr few = merged ? merged->general_geometry(g->global(), g->order()) : nullptr;
    for (FieldSpec spec : specs(g->order(), location)) {
      if (spec.bounded) continue;
      SCOPED_TRACE(text_of(spec));
      if (spec.subfields % 2 == 0) spec.Ls = 2;
      std::vector<char> flags(static_cast<std::size_t>(spec.batch()));
      for (std::size_t k = 0; k < flags.size(); ++k) flags[k] = k % 3 != 1;
      const ActiveSet active(flags);
      Redistribution redistribution(
          grid, merge, g, few, spec, location,
          2 * stored_site_bytes(spec) * static_cast<std::size_t>(g->local_volume()));
      const auto expect_active = [&](const Field& found, double active_shift, double shift) {
        const auto numbers = test::to_vectors(found);
        const auto moved = test::to_vectors(numbered_field(found.geometry_ptr(), spec, active_shift)),
                   kept = test::to_vectors(numbered_field(found.geometry_ptr(), spec, shift));
        for (std::size_t k = 0; k < numbers.size(); ++k)
          EXPECT_EQ(numbers[k], flags[k] ? moved[k] : kept[k]) << k;
      };
      Field spread = numbered_field(g, spec, 0), gathered;
      if (few) gathered = numbered_field(few, spec, 1);
      redistribution.gather(few ? &gathered : nullptr, spread, active, queue);
      if (few) expect_active(gathered, 0, 1);
      if (few) gathered = numbered_field(few, spec, 2);
      redistribution.scatter(spread, few ? &gathered : nullptr, active, queue);
      expect_active(spread, 2, 0);
      redistribution.scatter(spread, few ? &gathered : nullptr, ActiveSet(std::vector<char>(flags.size())),
                             queue);
      expect_active(spread, 2, 0);
    }
  };
  test::for_all_general_geometries({6, 2, 2, 10}, LatticeOrder::checkerboard, visit, {0});
}

// What a watchdog says of a rank that waits for them.
TEST(Redistribution, SitesHaveAName) {
  EXPECT_EQ(sender_text({FaceMessage::nobody, 3, FaceMessage::sites_tag, 8}), "the sites of rank 3");
  EXPECT_EQ(receiver_text({2, FaceMessage::nobody, FaceMessage::sites_tag, 8}), "the sites for rank 2");
}

TEST(Redistribution, RefusesOtherGeometriesAndFields) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto lexicographic = LatticeOrder::lexicographic;
  const auto g = self.general_geometry({3, 2, 2, 2}, lexicographic),
             other = self.general_geometry({3, 2, 2, 4}, lexicographic),
             checkered = self.general_geometry({4, 2, 2, 2}, LatticeOrder::checkerboard),
             plain = self.general_geometry({4, 2, 2, 2}, lexicographic);
  const FieldSpec spec{Subset::full, 1, 2, 1, Precision::single_precision, Location::host};
  const Extents one{1, 1, 1, 1};
  Redistribution redistribution(self, one, g, g, spec, Location::host);
  const ActiveSet all(1);
  const Queue queue(Location::host);
  Field here(g, spec), elsewhere(other, spec);
  const std::string another = "a merged geometry of another lattice, site order or process grid";
  const std::pair<test::Action, std::string> cases[] = {
      {[&] { Redistribution(self, one, g, other, spec, Location::host); }, another},
      {[&] { Redistribution(self, one, checkered, plain, spec, Location::host); }, another},
      {[&] { Redistribution(self, one, g, nullptr, spec, Location::host); },
       "a merged geometry belongs on the ranks of the merged grid, and only there"},
      {[&] {
         Redistribution(self, {1, 2, 1, 1}, g, g, spec, Location::host);
       },
       "ranks that cannot be merged"},
      {[&] { redistribution.gather(&here, elsewhere, all, queue); },
       "a redistribution was given another kind of field"},
      {[&] { redistribution.gather(&elsewhere, here, all, queue); },
       "a redistribution was given another kind of merged field"},
      {[&] { redistribution.scatter(here, nullptr, all, queue); },
       "a redistribution needs the merged field on the ranks of the merged grid, and only there"}};
  for (const auto& [action, message] : cases)
    EXPECT_EQ(test::message_of(ErrorKind::internal, action), "internal error: " + message);
}

}  // namespace
}  // namespace plaq

// Whatever a tuner chooses for coarse operators and transfers, and however many right-hand sides a batch has:
// each has the bits that it has alone.
#include <gtest/gtest.h>

#include <array>

#include "core/launch/team_candidates.hpp"
#include "core/launch/tuning.hpp"
#include "multigrid/transfer/transfer.hpp"
#include "tests/multigrid/levels/random_operator.hpp"
#include "tests/support/vector_shape.hpp"

namespace plaq {
namespace {

constexpr Precision half = Precision::half_precision, single = Precision::single_precision;

// A queue whose tuner knows nothing but this launch of these kernels.
Queue queue_of(Location where, const Launch& launch, const std::vector<std::string>& kernels,
               const Geometry& geometry, int batch) {
  const Machine machine{where, "a machine", "none", "0"};
  const auto tuner = std::make_shared<Tuner>(TuneMode::read_only, machine);
  for (const std::string& kernel : kernels)
    for (const char* storage : {"single", "half single"}) {
      TuneEntry entry;
      entry.kernel = kernel;
      entry.storage = storage;
      entry.local = geometry.local();
      entry.partitioned = static_cast<std::uint32_t>(geometry.general_shape().partitioned);
      entry.batch = batch;
      entry.device = machine.device, entry.driver = machine.driver, entry.build = machine.build;
      entry.launch = launch;
      tuner->add({&entry, 1});
    }
  return Queue(where, tuner);
}

// visit(queue, batch) for the launches of batches of 1 to 9; the first one is
// that of one right-hand side alone.
void for_launches(const std::vector<std::string>& kernels, const Geometry& geometry, Location where,
                  const std::function<void(const Queue&, int batch)>& visit) {
  for (const int batch : {1, 2, 3, 5, 9})
    for (const Launch& launch :
         tile_candidates(where, batch, true, [](const Launch&) { return std::size_t{0}; })) {
      SCOPED_TRACE(std::to_string(batch) + " right-hand sides, " + to_string(launch));
      visit(queue_of(where, launch, kernels, geometry, batch), batch);
    }
}

// The last right-hand sides of a field of nine.
Field last(const Field& nine, FieldSpec spec, int batch) {
  spec.subfields = batch * spec.Ls;
  Field some(nine.geometry_ptr(), spec);
  for (int k = 0; k < batch; ++k) copy_right_hand_side(some, k, nine, 9 - batch + k);
  return some;
}

// Each of the last ones as it was in the first launch that had it.
class Expected {
 public:
  void check(const Field& found) {
    const auto vectors = test::to_vectors(found);
    for (std::size_t k = 0; k < vectors.size(); ++k) {
      test::Vector& alone = first_[9 - vectors.size() + k];
      if (alone.empty()) alone = vectors[k];
      EXPECT_EQ(vectors[k], alone) << "right-hand side " << k;
    }
  }

 private:
  std::array<test::Vector, 9> first_;
};

TEST(Launches, GiveCoarseOperatorsTheSameBits) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const int components : {6, 10, 48}) {
    const auto geometry = Geometry::create_general({{3, 1, 2, 2}}, LatticeOrder::lexicographic);
    const auto sources = test::random_vectors(9, static_cast<std::size_t>(12 * components), 96);
    for (const Location where : test::locations())
      for (const Precision storage : {half, single}) {
        Expected expected;
        for_launches({"coarse_hop of " + std::to_string(components)}, *geometry, where,
                     [&](const Queue& queue, int batch) {
                       CoarseOperator m(self, test::random_links(geometry, components, storage, where),
                                        single, true, queue, make_host_transport(self, where));
                       const Field nine = test::to_plaq(test::Columns(sources), geometry, m.spec(9));
                       const Field in = last(nine, m.spec(9), batch);
                       Field out(geometry, in.spec());
                       m.apply(out, in);
                       expected.check(out);
                     });
      }
  }
}

TEST(Launches, GiveTransfersTheSameBits) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry({6, 4, 6, 4});
  for (const auto& [Ls, chiralities] : {std::pair{1, 2}, {3, 1}}) {
    const test::VectorShape shape{4, Ls, 3};
    const auto size = static_cast<std::size_t>(geometry->global_volume() * shape.components() * Ls);
    const auto near_null = test::random_vectors(7, size, 97), sources = test::random_vectors(9, size, 98);
    const Aggregation aggregation(geometry, {3, 2, 3, 2}, 12, chiralities, Ls);
    for (const Location where : test::locations()) {
      const Field v =
          test::to_plaq(test::Columns(near_null, Ls), geometry, shape.spec(Subset::full, 0, single, where));
      for (const Precision storage : {half, single})
        for (const Subset subset : {Subset::full, Subset::odd}) {
          Expected restricted, prolonged;
          const Field nine =
              test::to_plaq(test::Columns(sources, Ls), geometry, shape.spec(subset, 0, single, where));
          for_launches({"restrict 7 by 3x2x3x2", "prolong 7 by 3x2x3x2"}, *geometry, where,
                       [&](const Queue& queue, int batch) {
                         const Transfer t(self, aggregation, v, storage, queue);
                         Field fine = last(nine, nine.spec(), batch);
                         Field coarse(t.aggregation().coarse_ptr(), t.coarse_spec(batch, single));
                         t.restrict(coarse, fine, ActiveSet(batch));
                         t.add_prolonged(fine, coarse, ActiveSet(batch));
                         queue.synchronize();
                         restricted.check(coarse);
                         prolonged.check(fine);
                       });
        }
    }
  }
}

}  // namespace
}  // namespace plaq

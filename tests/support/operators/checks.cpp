#include "tests/support/operators/checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "comms/transport/transport_choice.hpp"
#include "core/launch/tuning.hpp"
#include "core/system/error.hpp"
#include "kernels/gauge/link_storage_launch.hpp"
#include "tests/support/first_rank.hpp"
#include "tests/support/grids.hpp"

namespace plaq::test {
namespace {

using Bits = std::vector<std::uint64_t>;  // of right-hand sides

// One rank that has the whole lattice.
struct Alone {
  explicit Alone(const OperatorProblem& p)
      : geometry(p.general ? grid.general_geometry(p.extents, p.order()) : grid.geometry(p.extents)) {}
  std::shared_ptr<LinearOperator> make(const OperatorProblem& p, const LinkStorage& storage,
                                       const Queue& queue, int batch) const {
    return p.make({grid, geometry, storage, queue, batch});
  }
  ProcessGrid grid{MPI_COMM_SELF, {1, 1, 1, 1}};
  GeometryPtr geometry;
};

Vectors images_by_reference(const OperatorProblem& p, const Vectors& v, bool dagger) {
  Vectors images;
  for (const Vector& one : v) images.push_back(p.image(one, dagger));
  return images;
}

// What an operator is applied to and what its results hold before; of a complement a solution x of the full
// system, its source M x, and the complement's unknown.
struct Arguments {
  Vectors v, before, source, unknown;

  explicit Arguments(const OperatorProblem& p) : v(random_vectors(p, p.batch)), before(v.rbegin(), v.rend()) {
    if (!p.is_complement()) return;
    source = from_first_rank([&] {
      Vectors images;
      for (const Vector& x : v) images.push_back(p.full(x));
      return images;
    });
    unknown = !p.unknown ? v : from_first_rank([&] {
      Vectors images;
      for (const Vector& x : v) images.push_back(p.unknown(x));
      return images;
    });
  }
};

struct Fields {
  Field v, before, x, source, unknown;

  // Fields of all right-hand sides, or of one.
  Fields(const OperatorProblem& p, const Arguments& given, const GeometryPtr& g, const StorageBound& bound,
         Location location, int rhs = -1) {
    const auto field = [&](const Vectors& all, Subset subset) {
      if (rhs < 0) return p.field(all, g, subset, bound.precision, location);
      return p.field({all[static_cast<std::size_t>(rhs)]}, g, subset, bound.precision, location);
    };
    v = field(given.v, p.subset());
    before = field(given.before, p.subset());
    if (!p.is_complement()) return;
    x = field(given.v, Subset::full);
    source = field(given.source, Subset::full);
    unknown = field(given.unknown, p.subset());
  }
};

struct Image {
  const char* name;
  Field field;
  bool masked;
};

std::vector<Image> images_of(const OperatorProblem& p, LinearOperator& a, const Fields& given,
                             const ActiveSet& active) {
  std::vector<Image> images;
  const auto add = [&](const char* name, const Field& like, bool masked, const auto& fill) {
    Field out(like.geometry_ptr(), like.spec());
    if (masked) copy(out, given.before);
    fill(out);
    images.push_back({name, std::move(out), masked});
  };
  add("A v", given.v, true, [&](Field& out) { a.apply(out, given.v, active); });
  if (p.has_adjoint)
    add("A^dagger v", given.v, true, [&](Field& out) { a.apply_dagger(out, given.v, active); });
  if (given.source) {
    auto& s = dynamic_cast<SchurOperator&>(a);
    add("reduced source", given.v, false, [&](Field& out) { s.reduce_source(out, given.source); });
    add("reduced guess", given.v, false, [&](Field& out) { s.reduce_guess(out, given.x); });
    add("solution", given.x, false, [&](Field& out) { s.reconstruct(out, given.unknown, given.source); });
  }
  a.queue().synchronize();
  return images;
}

// What those are by the reference.
std::vector<Vectors> expected_images(const OperatorProblem& p, const Arguments& given) {
  std::vector<Vectors> all{images_by_reference(p, given.v, false)};
  if (p.has_adjoint) all.push_back(images_by_reference(p, given.v, true));
  if (!p.is_complement()) return all;
  all.push_back(p.unknown ? images_by_reference(p, given.unknown, false) : all[0]);
  all.push_back(given.unknown);
  all.push_back(given.v);
  return all;
}

// Right-hand sides one by one on this rank alone: within the bounds of what is expected, if it is given.
std::vector<Bits> images_alone(const OperatorProblem& p, const Arguments& given,
                               const std::vector<Vectors>& expected, const StorageBound& bound,
                               Location where) {
  const Alone alone(p);
  const auto a = alone.make(p, bound.storage(), Queue(where), 1);
  std::vector<Bits> bits;
  std::vector<Deviation> off;
  std::vector<const char*> names;
  for (int k = 0; k < p.batch; ++k) {
    const auto images = images_of(p, *a, Fields(p, given, alone.geometry, bound, where, k), ActiveSet(1));
    bits.resize(images.size()), off.resize(images.size()), names.clear();
    for (std::size_t i = 0; i < images.size(); ++i) {
      names.push_back(images[i].name);
      bits[i].push_back(fingerprints(images[i].field, alone.grid)[0]);
      if (!expected.empty())
        off[i].add(deviation(images[i].field, p.columns({expected[i][static_cast<std::size_t>(k)]})));
    }
  }
  for (std::size_t i = 0; i < off.size() && !expected.empty(); ++i) {
    const double factor = names[i] == std::string("solution") ? p.solution_factor : 1;
    EXPECT_LT(off[i].most(), factor * bound.most) << names[i];
    EXPECT_LT(off[i].mean(), factor * bound.mean) << names[i];
  }
  return bits;
}

bool comes_to_geometries(const OperatorProblem& p, const StorageBound& bound) {
  const int precision = static_cast<int>(bound.precision), reals = bound.reals == 18   ? 0
                                                                   : bound.reals == 12 ? 1
                                                                                       : 2;
  if (world_size() > 1) return (precision + reals + p.turn) % 3 == 0;
  return (3 * precision + reals + p.turn) % p.share == 0;
}

std::vector<std::vector<char>> masks(const OperatorProblem& p) {
  std::vector<std::vector<char>> all(3, std::vector<char>(static_cast<std::size_t>(p.batch)));
  for (std::size_t k = 0; k < all[0].size(); ++k) all[0][k] = k != 1, all[1][k] = 1, all[2][k] = k == 2;
  // Several ranks check who has which site, and a complement applies what is checked without it.
  if (world_size() > 1 || p.is_complement()) all.resize(1);
  return all;
}

}  // namespace

void for_fitting_geometries(
    const OperatorProblem& p,
    const std::function<void(const ProcessGrid&, const GeometryPtr&, Location)>& visit, bool each_direction) {
  const auto fitting = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const auto forced = g->decomposition().forced;
    if ((each_direction || forced == 0 || forced == 15) && p.fits(*g)) visit(grid, g, location);
  };
  if (p.general) {
    for_all_general_geometries(p.extents, p.order(), fitting);
  } else {
    for_all_geometries(p.extents, fitting);
  }
}

void expect_images(const OperatorProblem& p) {
  const Arguments given(p);
  const auto expected = world_size() == 1 ? expected_images(p, given) : std::vector<Vectors>();
  std::map<std::pair<Location, const StorageBound*>, std::vector<Bits>> alone;
  for (const StorageBound& bound : p.bounds)
    for (const Location where : locations()) {
      if (world_size() > 1 && !comes_to_geometries(p, bound)) continue;
      SCOPED_TRACE(p.name + ", " + bound.name());
      alone[{where, &bound}] =
          from_first_rank([&] { return images_alone(p, given, expected, bound, where); });
    }
  for_fitting_geometries(
      p,
      [&](const ProcessGrid& grid, const GeometryPtr& g, Location where) {
        for (const StorageBound& bound : p.bounds) {
          if (!comes_to_geometries(p, bound)) continue;
          SCOPED_TRACE(p.name + ", " + bound.name());
          const auto& bits = alone.at({where, &bound});
          const auto a = p.make({grid, g, bound.storage(), Queue(where), p.batch});
          const Fields fields(p, given, g, bound, where);
          const Bits untouched = fingerprints(fields.before, grid);
          for (const auto& mask : masks(p)) {
            const auto images = images_of(p, *a, fields, ActiveSet(mask));
            for (std::size_t i = 0; i < images.size(); ++i) {
              const Bits found = fingerprints(images[i].field, grid);
              for (std::size_t k = 0; k < mask.size(); ++k)
                EXPECT_EQ(found[k], mask[k] || !images[i].masked ? bits[i][k] : untouched[k])
                    << images[i].name << ", right-hand side " << k;
            }
          }
        }
      },
      true);
}

void expect_images_of(const OperatorProblem& p, const Vectors& in, const Vectors& image,
                      const Vectors& dagger_image, double in_double, double in_single) {
  for_fitting_geometries(p, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      const double most = precision == Precision::double_precision ? in_double : in_single;
      const auto a = p.make({grid, g, precision, Queue(location), static_cast<int>(in.size())});
      const Field v = p.field(in, g, p.subset(), precision, location);
      ASSERT_LT(deviation(applied(*a, v), p.columns(image)).most(), most) << p.name;
      ASSERT_LT(deviation(applied(*a, v, true), p.columns(dagger_image)).most(), most) << p.name;
    }
  });
}

void expect_parts(const OperatorProblem& p) {
  const reference::Lattice lattice{p.extents};
  const int components = p.shape.components(), volume = lattice.volume();
  const auto site_of = [&](std::size_t i) { return static_cast<int>(i) / components % volume; };
  // Right-hand side k is at one site alone.
  const auto source = [&](std::size_t k) { return (5 + 11 * static_cast<int>(k)) % volume; };
  Vectors v = random_vectors(p, p.batch, 55);
  for (std::size_t k = 0; k < v.size(); ++k)
    for (std::size_t i = 0; i < v[k].size(); ++i)
      if (site_of(i) != source(k)) v[k][i] = 0;
  const Vectors expected = from_first_rank([&] { return images_by_reference(p, v, false); });
  double largest = 0;
  for (const Vector& one : expected)
    for (const Complex64& z : one) largest = std::max(largest, std::abs(z));
  std::vector<char> mask(v.size(), 1);
  if (p.batch > 2) mask[1] = 0;
  for_fitting_geometries(p, [&](const ProcessGrid& grid, const GeometryPtr& g, Location where) {
    if (grid.size() > 1 && g->decomposition().forced != 0) return;
    const StorageBound& bound = p.bounds.front();
    const auto a =
        std::dynamic_pointer_cast<StencilOperator>(p.make({grid, g, bound.storage(), Queue(where), p.batch}));
    ASSERT_NE(a, nullptr) << p.name;
    const std::vector<Offset>& offsets = a->offsets();
    EXPECT_EQ(std::set<Offset>(offsets.begin(), offsets.end()).size(), offsets.size()) << p.name;
    const Field in = p.field(v, g, Subset::full, bound.precision, where);
    const Field start = p.field(random_vectors(p, p.batch, 56), g, Subset::full, bound.precision, where);
    const Vectors before = to_vectors(start);
    Vectors sum(v.size(), Vector(v[0].size()));
    for (std::size_t part = 0; part < offsets.size(); ++part) {
      Field out(start.geometry_ptr(), start.spec());
      copy(out, start);
      a->apply_part(out, in, static_cast<int>(part), ActiveSet(mask));
      a->queue().synchronize();
      const Vectors found = to_vectors(out);
      for (std::size_t k = 0; k < v.size(); ++k) {
        if (mask[k] == 0) {
          EXPECT_EQ(found[k], before[k]) << p.name << ", part " << part;
          continue;
        }
        auto x = lattice.coordinates(source(k));
        for (std::size_t mu = 0; mu < 4; ++mu)
          x[mu] = (x[mu] - offsets[part][mu] + 2 * p.extents[mu]) % p.extents[mu];
        int elsewhere = 0;
        for (std::size_t i = 0; i < found[k].size(); ++i) {
          if (found[k][i] != 0.0 && site_of(i) != lattice.index(x)) ++elsewhere;
          sum[k][i] += found[k][i];
        }
        EXPECT_EQ(elsewhere, 0) << p.name << ", part " << part << ", right-hand side " << k;
      }
    }
    Vectors due = expected;
    for (std::size_t k = 0; k < v.size(); ++k)
      if (mask[k] == 0) due[k].assign(due[k].size(), 0);
    EXPECT_LT(max_difference(p.field(sum, g, Subset::full, Precision::double_precision, Location::host),
                             p.columns(due)),
              2 * bound.most * largest)
        << p.name;
  });
}

void expect_adjoint(const OperatorProblem& p) {
  const Vectors xy = random_vectors(p, 2, 77);
  for_fitting_geometries(p, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    for (const StorageBound& bound : p.bounds) {
      if (&bound != &p.bounds.front() && (grid.size() > 1 || g->any_partitioned())) continue;
      SCOPED_TRACE(p.name + ", " + bound.name());
      const auto a = p.make({grid, g, bound.storage(), Queue(location), 2});
      const Field in = p.field(xy, g, p.subset(), bound.precision, location);
      const Field image = applied(*a, in);
      const Vectors v = to_vectors(in), av = to_vectors(image), adjoint = to_vectors(applied(*a, in, true)),
                    normal = to_vectors(applied(*a, image, true));
      const std::pair<const Vector*, const Vector*> products[] = {
          {&v[0], &av[1]},  {&adjoint[0], &v[1]}, {&v[0], &normal[1]},
          {&av[0], &av[1]}, {&v[0], &normal[0]},  {&v[0], &v[0]},
          {&av[0], &av[0]}, {&av[1], &av[1]},     {&adjoint[0], &adjoint[0]}};
      std::vector<Complex64> sums;
      for (const auto& [one, other] : products) {
        sums.emplace_back();
        for (std::size_t i = 0; i < one->size(); ++i) sums.back() += std::conj((*one)[i]) * (*other)[i];
      }
      MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2 * static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM,
                    grid.comm().mpi());
      const double size = std::sqrt(sums[5].real() * sums[7].real()), squares = sums[6].real(),
                   most = bound.precision == Precision::double_precision   ? 1e-14
                          : bound.precision == Precision::single_precision ? 1e-6
                                                                           : 1e-4;
      EXPECT_GT(std::abs(sums[0]), 10 * most * size);  // there is something to compare
      EXPECT_LT(std::abs(sums[0] - sums[1]), most * size);
      EXPECT_LT(std::abs(sums[2] - sums[3]), most * std::sqrt(squares * sums[7].real()));
      EXPECT_LT(std::abs(sums[4] - squares), most * squares);
    }
  });
}

void expect_gamma5_hermiticity(const OperatorProblem& p, const std::vector<SymmetryBound>& bounds) {
  const Vectors v = random_vectors(p, 2, 14);
  const Vectors inside{p.gamma5(v[0]), p.gamma5(v[1])};
  for_fitting_geometries(p, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    for (const auto& [storage, most] : bounds) {
      const auto a = p.make({grid, g, storage, Queue(location), 2});
      const auto field = [&](const Vectors& in) {
        return p.field(in, g, p.subset(), storage.precision, location);
      };
      Vectors expected = to_vectors(applied(*a, field(inside)));
      for (Vector& one : expected) one = p.gamma5(one);
      EXPECT_LE(deviation(applied(*a, field(v), true), p.columns(expected)).most(), most) << p.name;
    }
  });
}

void expect_gauge_covariance(const OperatorProblem& p, const std::vector<SymmetryBound>& bounds) {
  reference::Generator generator(13);
  const auto transformation = reference::random_transformation({p.extents}, generator);
  const OperatorProblem turned = p.turned(transformation);
  const auto rotated = [&](Vectors all) {
    for (Vector& v : all) v = times(transformation, v, p.shape.Ls);
    return all;
  };
  const Vectors v = random_vectors(p, 2, 15), turned_v = rotated(v);
  const Alone alone(p);
  for (const auto& [storage, most] : bounds)
    for (const Location where : locations()) {
      const auto a = alone.make(p, storage, Queue(where), 2);
      const Field whole = p.field(v, alone.geometry, p.subset(), storage.precision, where);
      const Vectors expected = rotated(to_vectors(applied(*a, whole))),
                    dagger = p.has_adjoint ? rotated(to_vectors(applied(*a, whole, true))) : Vectors();
      for_fitting_geometries(turned, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        if (location != where) return;
        const auto b = turned.make({grid, g, storage, Queue(where), 2});
        const Field in = p.field(turned_v, g, p.subset(), storage.precision, where);
        EXPECT_LT(deviation(applied(*b, in), p.columns(expected)).most(), most) << p.name;
        if (!p.has_adjoint) return;
        EXPECT_LT(deviation(applied(*b, in, true), p.columns(dagger)).most(), most) << p.name;
      });
    }
}

void expect_same_bits_by_every_transport(const OperatorProblem& p) {
  if (!p.general && !splits_over_the_ranks(p.extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Vectors v = random_vectors(p, 2);
  // Exchanges of both kinds, one after the other.
  const auto bits = [&](const Setting& setting) {
    const auto a = p.make(setting);
    const Location where = setting.queue.location();
    Field x = p.field(v, setting.geometry, p.subset(), setting.storage.precision, where),
          y(x.geometry_ptr(), x.spec());
    a->apply(y, x);
    p.has_adjoint ? a->apply_dagger(x, y) : a->apply(x, y);
    a->apply(y, x);
    a->queue().synchronize();
    return fingerprints(y, setting.grid);
  };
  std::map<std::pair<Location, const StorageBound*>, Bits> alone;
  for (const Location where : locations())
    for (const StorageBound& bound : p.bounds)
      alone[{where, &bound}] = from_first_rank([&] {
        const Alone one(p);
        return bits({one.grid, one.geometry, bound.storage(), Queue(where), 2});
      });
  int turn = p.turn;
  for_fitting_geometries(
      p,
      [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        std::set<std::string> tried;
        for (const auto kind : {TransportKind::automatic, TransportKind::self, TransportKind::host,
                                TransportKind::device_mpi, TransportKind::nccl, TransportKind::peer}) {
          const std::string name(transport_names[static_cast<std::size_t>(kind)]);
          if (kind == TransportKind::self && grid.size() > 1) continue;
          std::shared_ptr<Transport> transport;
          try {
            transport = kind == TransportKind::automatic ? choose_transport(grid, location, kind).transport
                                                         : make_transport(grid, location, kind);
          } catch (const Error& e) {
            ASSERT_EQ(e.kind(), ErrorKind::comms) << e.what();
            ASSERT_TRUE(kind != TransportKind::automatic && kind != TransportKind::host) << e.what();
            continue;
          }
          if (!tried.emplace(transport->name()).second) continue;  // the automatic one, by its name
          ++turn;  // four ranks have many grids: each with every third storage, not always the same
          for (const StorageBound& bound : p.bounds) {
            if (grid.size() >= 4 && (&bound - p.bounds.data() + turn) % 3 != 0) continue;
            EXPECT_EQ(bits({grid, g, bound.storage(), Queue(location), 2, transport}),
                      (alone[{location, &bound}]))
                << p.name << ", " << name << ", " << bound.name();
          }
        }
      },
      true);
}

void expect_same_bits_in_every_launch(const OperatorProblem& p, const LaunchedKernels& kernels,
                                      const std::vector<int>& batches, std::uint32_t forced) {
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  const auto g = grid.geometry(p.extents, forced);
  for (const int batch : batches) {
    const Vectors v = random_vectors(p, batch);
    for (const Location location : locations())
      for (const StorageBound& bound : p.bounds) {
        const Field in = p.field(v, g, p.subset(), bound.precision, location);
        const Bits expected =
            fingerprints(applied(*p.make({grid, g, bound.storage(), Queue(location), batch}), in), grid);
        // A tuner that knows nothing but this launch.
        const Machine machine{location, "a machine", "none", "0"};
        const auto tuner = std::make_shared<Tuner>(TuneMode::on, machine);
        const auto a = p.make({grid, g, bound.storage(), Queue(location, tuner), batch});
        for (const Launch& launch : kernels.candidates(bound, location, *g, batch)) {
          *tuner = Tuner(TuneMode::on, machine);
          TuneEntry entry;
          entry.storage = storage_text(bound.precision, bound.reals);
          entry.local = g->local();
          entry.partitioned = g->general_shape().partitioned;
          entry.batch = batch;
          entry.device = machine.device, entry.driver = machine.driver, entry.build = machine.build;
          entry.launch = launch;
          for (const std::string& name : kernels.names) {
            entry.kernel = name + (forced != 0 ? " interior" : "");
            tuner->add({&entry, 1});
          }
          SCOPED_TRACE(p.name + ", " + bound.name() + ", " + to_string(launch));
          EXPECT_EQ(fingerprints(applied(*a, in), grid), expected);
          for (const TuneEntry& timed : tuner->take_new())
            EXPECT_EQ(timed.kernel.find(kernels.family), std::string::npos) << "it was not used";
        }
      }
  }
}

void expect_refusals(const OperatorProblem& p) {
  const Alone alone(p);
  for (const Location location : locations()) {
    const auto a = alone.make(p, p.bounds.front().storage(), Queue(location), 1);
    const Field right(alone.geometry, a->spec(1));
    EXPECT_EQ(a->spec(1), p.shape.spec(p.subset(), 1, p.bounds.front().precision, location));
    const auto refused = [&](auto&& change, const char* what) {
      FieldSpec spec = a->spec(1);
      change(spec);
      Field wrong(alone.geometry, spec), out(alone.geometry, a->spec(1));
      EXPECT_THROW(a->apply(out, wrong), Error) << p.name << ", in: " << what;
      EXPECT_THROW(a->apply(wrong, right), Error) << p.name << ", out: " << what;
    };
    refused([](FieldSpec& s) { s.spins += 1; }, "spins");
    refused([](FieldSpec& s) { s.colors += 1; }, "colors");
    refused([](FieldSpec& s) { s.precision = Precision::single_precision; }, "precision");
    if (!p.has_adjoint) {
      Field out(alone.geometry, a->spec(1));
      EXPECT_THROW(a->apply_dagger(out, right), Error) << p.name;
    }
    if (alone.geometry->parities() == 2)
      refused([&](FieldSpec& s) { s.subset = p.parity < 0 ? Subset::odd : subset_of(1 - p.parity); },
              "parity");
  }
}

}  // namespace plaq::test

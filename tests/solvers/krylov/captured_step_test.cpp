// Iterations that a GPU runs as a captured CUDA graph have the bits of those that are launched one by
// one, whatever carries faces. Without a GPU nothing is captured.
#include <gtest/gtest.h>

#include "comms/sums/sum_exchange.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/system/error.hpp"
#include "solvers/krylov/multishift_cg.hpp"
#include "solvers/normal_operator.hpp"
#include "tests/solvers/krylov/methods.hpp"
#include "tests/solvers/wilson_system.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::world_size;

struct Outcome {
  std::uint64_t solution = 0;
  int iterations = 0;
  double flops = 0;
  std::int64_t applications = 0;
};

struct Case {
  std::string method;
  MixedScheme scheme = MixedScheme::none;
  std::uint32_t forced = 0;  // directions
  int batch = 1;
};

// NCCL is slow where faces are small.
std::vector<Case> cases(TransportKind kind) {
  constexpr auto none = MixedScheme::none, reliable = MixedScheme::reliable_updates;
  if (kind == TransportKind::nccl) return {{"bicgstab", reliable, 8u, 1}, {"cg", none, 15u, 1}};
  std::vector<Case> all = {{"bicgstab", reliable, 0u, 1},
                           {"bicgstab", reliable, 15u, 3},
                           {"cg", none, 0u, 3},
                           {"multi-shift", none, 0u, 3},
                           {"multi-shift", none, 8u, 1}};
  for (const std::string method : {"cg", "hermitian-cg", "cgne", "bicgstab", "gcr", "mr"})
    for (const auto scheme : {none, reliable}) all.push_back({method, scheme, 8u, 1});
  return all;
}

// With a profiler nothing is captured.
Outcome solve(const ProcessGrid& grid, const Extents& extents, const std::shared_ptr<Transport>& transport,
              const Case& c, bool profiled) {
  const auto& [method, scheme, forced, batch] = c;
  const auto b = test::random_sources(extents, batch);
  test::WilsonSystem problem(grid, extents, b, 0.1, 0.3, Location::device, forced, transport,
                             profiled ? std::make_shared<Profiler>(Location::device) : nullptr);
  NormalOperator normal(*problem.in_double, batch), inner_normal(*problem.in_single, batch);
  const bool hermitian = method == "hermitian-cg";
  LinearOperator& outer = hermitian ? static_cast<LinearOperator&>(normal) : *problem.in_double;
  LinearOperator& inner = hermitian ? static_cast<LinearOperator&>(inner_normal) : *problem.in_single;
  const auto solver = test::make_solver(method, scheme, outer, inner, grid, batch);
  SolverParameters parameters;
  parameters.tolerance = 1e-8;
  parameters.max_iterations = 400;
  Outcome outcome;
  for (int i = 0; i < 2; ++i) {  // the second time as graphs of the first, into other memory
    Field x = problem.zero();
    const SolveReport report = solver->solve(x, problem.source, parameters);
    outcome.solution ^= test::fingerprint(x, grid) + static_cast<std::uint64_t>(i);
    outcome.iterations += report.iterations;
    outcome.flops += report.flops;
    outcome.applications += report.inner.calls;
  }
  return outcome;
}

// All shifts of all right-hand sides at once, and two of them alone, which leave at different iterations.
Outcome solve_shifts(const ProcessGrid& grid, const Extents& extents,
                     const std::shared_ptr<Transport>& transport, const Case& c, bool profiled) {
  const auto b = test::random_sources(extents, c.batch);
  test::WilsonSystem problem(grid, extents, b, 0.1, 0.3, Location::device, c.forced, transport,
                             profiled ? std::make_shared<Profiler>(Location::device) : nullptr);
  NormalOperator normal(*problem.in_double, c.batch);
  SolverParameters parameters;
  parameters.tolerance = 1e-8;
  parameters.max_iterations = 400;
  Outcome outcome;
  for (const auto& shifts : {std::vector<double>{0.02, 3, 0.5, 0, 40}, std::vector<double>{0.3, 0.02}}) {
    MultishiftCg multishift(normal, grid, c.batch, shifts);
    std::vector<Field> x;
    for (std::size_t s = 0; s < shifts.size(); ++s) x.push_back(problem.zero());
    const MultishiftReport report = multishift.solve(x, problem.source, parameters);
    for (const Field& of_shift : x)
      outcome.solution = 3 * outcome.solution + test::fingerprint(of_shift, grid);
    outcome.iterations += report.iterations;
    outcome.flops += report.flops;
    outcome.applications += report.waits;
  }
  return outcome;
}

TEST(CapturedStep, HasTheBitsOfLaunches) {
  if (device_count() == 0) GTEST_SKIP() << "there is no GPU here";
  const Extents extents{8, 4, 6, 8};
  const auto grids = allowed_grids(world_size(), extents);
  for (const auto& ranks : {grids.front(), grids.back()}) {
    const ProcessGrid grid(MPI_COMM_WORLD, ranks);
    for (const TransportKind kind : {TransportKind::self, TransportKind::peer, TransportKind::nccl}) {
      if (kind == TransportKind::self && world_size() > 1) continue;
      if (kind == TransportKind::peer && !test::on_one_node()) continue;
      std::shared_ptr<Transport> transport;
      try {
        transport = make_transport(grid, Location::device, kind);
      } catch (const Error& e) {
        if (grid.rank() == 0) std::printf("%s\n", e.what());
        continue;
      }
      if (auto sums = transport->make_sums()) grid.sums().use(std::move(sums));
      for (const Case& c : cases(kind)) {
        SCOPED_TRACE(c.method + " " + to_string(ranks) + " forced " + std::to_string(c.forced) + " batch " +
                     std::to_string(c.batch));
        const auto solved = [&](bool profiled) {
          return c.method == "multi-shift" ? solve_shifts(grid, extents, transport, c, profiled)
                                           : solve(grid, extents, transport, c, profiled);
        };
        const Outcome plain = solved(true), captured = solved(false);
        EXPECT_EQ(plain.solution, captured.solution);
        EXPECT_EQ(plain.iterations, captured.iterations);
        EXPECT_NEAR(plain.flops / captured.flops, 1, 1e-9);
        EXPECT_EQ(plain.applications, captured.applications);
      }
    }
  }
}

}  // namespace
}  // namespace plaq

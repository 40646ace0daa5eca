// Vector updates of Krylov solvers between two operators, and the cost of waiting for their sums.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "comms/sums/sum_exchange.hpp"
#include "core/system/error.hpp"
#include "jobs/bench/targets.hpp"
#include "jobs/rates/field_checks.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/krylov_operations.hpp"

namespace plaq::jobs {
namespace {

constexpr Extents check_extents{8, 4, 4, 6};  // of a rank

template <class Op>
struct Vectors {
  std::array<Field, Op::vectors> field;

  Vectors(const GeometryPtr& geometry, int rhs, Precision precision, Location location) {
    for (std::size_t i = 0; i < field.size(); ++i)
      field[i] = random_spinor(geometry, Subset::even, rhs, precision, location, 50 + i);
  }
  std::array<const Field*, Op::vectors> pointers() const {
    std::array<const Field*, Op::vectors> p{};
    for (std::size_t i = 0; i < field.size(); ++i) p[i] = &field[i];
    return p;
  }
};

std::vector<blas::Coefficients> some_coefficients(int rhs) {
  std::vector<blas::Coefficients> c(static_cast<std::size_t>(rhs));
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t k = 0; k < 6; ++k) c[i].value[k] = 0.05 * static_cast<double>(1 + (7 * i + 3 * k) % 9);
  return c;
}

// Queues the operation; its sums are left in `sums`, which nobody reads.
template <class Op>
void queue_operation(const std::array<const Field*, Op::vectors>& vectors, const blas::CoefficientList& c,
                     SumBuffer& sums, const Queue& queue) {
  dispatch_storage(vectors[0]->location(), vectors[0]->precision(), [&](auto kind) {
    using K = decltype(kind);
    blas::UpdateLaunch<typename K::target, typename K::scalar, Op>::run(vectors, c, &sums, 0, queue);
  });
}

// Numbers in double on the host: what is written and what is summed.
template <class Op>
std::string check(const Bench& bench, int rhs, Precision precision) {
  const ProcessGrid& grid = bench.grid();
  const Location location = bench.location();
  const auto geometry = bench.geometry_of_ranks(check_extents);
  const Vectors<Op> found(geometry, rhs, precision, location);
  Vectors<Op> expected(geometry, rhs, Precision::double_precision, Location::host);
  for (std::size_t i = 0; i < expected.field.size(); ++i) copy(expected.field[i], found.field[i]);
  const auto c = some_coefficients(rhs);
  const Queue there(location), here(Location::host);
  blas::Workspace found_work(there, rhs), expected_work(here, rhs);
  double worst = 0;
  const auto run = [&](blas::Workspace& work, const Vectors<Op>& v) {
    std::vector<ExactSum> sums;
    if constexpr (Op::sums > 0) {
      sums = blas::update_and_sum<Op>(work, c, v.pointers());
    } else {
      blas::update<Op>(work, c, v.pointers());
      work.queue().synchronize();
    }
    return global_sums(grid, sums);
  };
  const std::vector<double> f = run(found_work, found), e = run(expected_work, expected);
  // Sums of a half-precision vector are those before it is rounded.
  const double size = static_cast<double>(geometry->global_volume()) * 12 / 3;
  for (std::size_t k = 0; k < f.size(); ++k) worst = std::max(worst, std::abs(f[k] - e[k]) / size);
  for (std::size_t i = 0; i < expected.field.size(); ++i) {
    Field wide(geometry, expected.field[i].spec());
    copy(wide, found.field[i]);
    worst = std::max(worst, relative_difference(grid, wide, expected.field[i], here));
  }
  const double allowed = allowed_difference({precision, 18});
  if (!(worst <= allowed))
    throw Error(ErrorKind::internal,
                fmt::format("{} vectors in {} precision: {:.1e} off double, at most {:.1e} "
                            "is expected",
                            Op::vectors, name_of(precision), worst, allowed));
  return fmt::format("{:.1e} off double", worst);
}

template <class Op>
void add(Bench& bench, const Queue& queue, const char* name, int rhs, Precision precision) {
  if (!bench.wants(name)) return;
  const Vectors<Op> v(bench.geometry(), rhs, precision, queue.location());
  blas::Workspace work(queue, rhs);
  SumBuffer sums(queue.location(), 24 * rhs);
  auto coefficients = some_coefficients(rhs);
  // Vectors that are written again and again should stay of ordinary size.
  for (auto& c : coefficients)
    for (double& value : c.value) value *= 1e-9;
  const auto c = work.upload(coefficients);
  const Samples samples =
      bench.time(queue, [&](const Queue& q) { queue_operation<Op>(v.pointers(), c, sums, q); });
  const int touched = std::popcount(Op::reads) + std::popcount(Op::writes);
  const Work moved{0, static_cast<double>(field_bytes(*bench.geometry(), v.field[0].spec())) * touched};
  bench.add(name, {precision, 0}, rhs, samples, moved, check<Op>(bench, rhs, precision));
}

// A sum that the host waits for and sends new coefficients after: what each of a solver's waits costs.
void add_wait(Bench& bench, const Queue& queue, int rhs) {
  const auto small = bench.geometry_of_ranks(check_extents);
  const Vectors<blas::Norm> v(small, rhs, Precision::single_precision, queue.location());
  blas::Workspace work(queue, rhs);
  const auto c = some_coefficients(rhs);
  const Samples samples = bench.time(queue, [&](const Queue&) {
    blas::update_and_add<blas::Norm>(work, c, v.pointers());
    bench.grid().sums().take(work.sums(), work.release_sums(), queue);
  });
  bench.add("norm_and_wait", {Precision::single_precision, 0}, rhs, samples, {}, "none needed").lattice =
      small->global();
}

// Last step of a solve: |x|^2 on each time slice, copied to the host. The sum
// over slices is the norm, bit by bit.
void add_slice_norms(Bench& bench, int rhs, Precision precision) {
  if (!bench.wants("slice_norms")) return;
  const Queue queue = bench.plain_queue();
  const Field x = random_spinor(bench.geometry(), Subset::full, rhs, precision, queue.location(), 50);
  blas::Workspace work(queue, rhs);
  auto norms = blas::update_and_sum<blas::Norm>(work, some_coefficients(rhs), {&x});
  const auto slices = blas::slice_norms(x, queue);
  std::vector<ExactSum> sums(norms.size());
  for (std::size_t i = 0; i < slices.size(); ++i) sums[i * norms.size() / slices.size()].merge(slices[i]);
  if (global_sums(bench.grid(), sums) != global_sums(bench.grid(), norms))
    throw Error(ErrorKind::internal, "norms of time slices do not add up to that of the field");
  bench.add_timed("slice_norms", precision, rhs,
                  static_cast<double>(field_bytes(*bench.geometry(), x.spec())), "sum of all slices", queue,
                  [&](const Queue&) { blas::slice_norms(x, queue); });
}

}  // namespace

void bench_krylov(Bench& bench, std::string_view) {
  const Queue queue = bench.queue();
  for (const int rhs : bench.batches()) {
    for (const Precision precision : bench.all_precisions()) {
      add<blas::Norm>(bench, queue, "norm", rhs, precision);
      add<blas::Dot>(bench, queue, "dot", rhs, precision);
      add<blas::AxpyNorm>(bench, queue, "axpy_norm", rhs, precision);
      add<blas::CgDirection>(bench, queue, "cg_direction", rhs, precision);
      add<blas::BicgstabDots>(bench, queue, "bicgstab_dots", rhs, precision);
      add<blas::BicgstabUpdate>(bench, queue, "bicgstab_update", rhs, precision);
    }
    for (const Precision precision : bench.precisions()) add_slice_norms(bench, rhs, precision);
    add_wait(bench, queue, rhs);
  }
}

}  // namespace plaq::jobs

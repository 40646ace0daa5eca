// Kernels of multigrid, each checked before it is timed: transfers between lattices, coarse operators against
// the size of their lattice (figure 4 of Clark et al. 2016), products with dense inverses; then smoothing
// steps, Galerkin products, cycles and whole setups (jobs/bench/bench_multigrid_setup.cpp). Bytes: matrices
// once for all right-hand sides, vectors once.
#include <fmt/format.h>

#include <algorithm>
#include <complex>

#include "core/algebra/bits.hpp"
#include "core/system/error.hpp"
#include "jobs/bench/targets.hpp"
#include "jobs/rates/field_checks.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/quark/sources.hpp"
#include "multigrid/bottom/dense_matrix.hpp"
#include "multigrid/coarse/coarse_schur.hpp"
#include "multigrid/settings.hpp"
#include "multigrid/transfer/transfer.hpp"

namespace plaq::jobs {
namespace {

constexpr Precision exact = Precision::double_precision, narrow = Precision::single_precision;

// Bound for the rounding of vectors and of a near-null vector or a link, in a sum of many terms.
double allowed_of(Precision storage) {
  switch (storage) {
    case Precision::quarter_precision:
      return 0.5;
    case Precision::half_precision:
      return 2e-3;
    case Precision::single_precision:
      return 1e-5;
    default:
      return 1e-12;
  }
}

std::string expect_small(const std::string& what, double off, Precision storage, const char* words) {
  if (!(off <= allowed_of(storage)))
    throw Error(ErrorKind::internal,
                fmt::format("{} in {} precision: {} to {:.1e} only, at least {:.1e} is expected", what,
                            name_of(storage), words, off, allowed_of(storage)));
  return fmt::format("{} to {:.1e}", words, off);
}

Precision computed(Precision storage) { return storage == exact ? exact : narrow; }

Field in_double(const Field& field) {
  FieldSpec spec = field.spec();
  spec.precision = exact;
  Field to(field.geometry_ptr(), spec);
  copy(to, field);
  return to;
}

Field noise_field(const GeometryPtr& geometry, FieldSpec spec, std::uint64_t seed) {
  spec.subset = Subset::full;
  Field field(geometry, spec);
  random_source(field, Noise::z4, seed);
  return field;
}

Field on_host(const Field& field) {
  FieldSpec spec = field.spec();
  spec.location = Location::host;
  Field to(field.geometry_ptr(), spec);
  copy(to, field);
  return to;
}

// R P = 1 on all sites.
std::string check_transfer(const Bench& bench, const Transfer& transfer, Precision storage) {
  Field fine(bench.geometry(), spinor_spec(Subset::full, 1, computed(storage), bench.location()));
  const FieldSpec coarse = transfer.coarse_spec(1, fine.precision());
  const Field e = noise_field(transfer.aggregation().coarse_ptr(), coarse, 71);
  Field back(e.geometry_ptr(), e.spec());
  transfer.prolong(fine, e, ActiveSet(1));
  transfer.restrict(back, fine, ActiveSet(1));
  const double off = relative_difference(bench.grid(), back, in_double(e), bench.plain_queue());
  return expect_small("a transfer", off, storage, "R P = 1");
}

// Storages of matrices, also those that are multiplied as integers.
std::vector<Precision> matrix_storages(const Bench& bench) {
  std::vector<Precision> all = bench.all_precisions();
  if (bench.asks_for_all_precisions()) all.insert(all.begin(), Precision::quarter_precision);
  return all;
}

// Random near-null vectors; fine vectors are on the even sites, in the same storage, or in half precision
// where that is quarter precision.
void add_transfers(Bench& bench, int vectors) {
  const Queue queue = bench.queue();
  const std::string down = fmt::format("restriction N {}", vectors),
                    up = fmt::format("prolongation N {}", vectors);
  if (!bench.wants(down) && !bench.wants(up)) return;
  const Extents block = choose_blocks(bench.geometry()->local(), vectors).front();
  for (const Precision storage : matrix_storages(bench)) {
    const Precision of_fine = at_least_half(storage);
    const Field near_null =
        random_spinor(bench.geometry(), Subset::full, vectors, computed(storage), bench.location(), 72);
    const Transfer transfer(bench.grid(), Aggregation(bench.geometry(), block, 12), near_null, storage,
                            queue);
    const std::string checked = check_transfer(bench, transfer, storage);
    for (const int rhs : bench.batches()) {
      Field fine = random_spinor(bench.geometry(), Subset::even, rhs, of_fine, bench.location(), 73);
      Field coarse(transfer.aggregation().coarse_ptr(), transfer.coarse_spec(rhs, of_fine));
      const ActiveSet all(rhs);
      const Work work = transfer.work(rhs, of_fine);
      const auto add = [&](const std::string& name, const auto& apply) {
        if (bench.wants(name))
          bench.add(name, {storage, 0}, rhs, bench.time(queue, [&](const Queue&) { apply(); }), work,
                    checked);
      };
      add(down, [&] { transfer.restrict(coarse, fine, all); });
      add(up, [&] { transfer.prolong(fine, coarse, all); });
    }
  }
}

std::shared_ptr<CoarseOperator> coarse_operator(const Bench& bench, const Field& links, Precision storage,
                                                const Queue& queue) {
  Field kept(links.geometry_ptr(), coarse_links_spec(links.subfields(), storage, links.location()));
  copy(kept, links);
  return std::make_shared<CoarseOperator>(bench.grid(), std::move(kept), computed(storage), true, queue,
                                          bench.transport());
}

// Against the same in double.
std::string check_coarse(const Bench& bench, int vectors, Precision storage, const Queue& queue) {
  Extents extents{4, 4, 4, 4};
  for (std::size_t mu = 0; mu < 4; ++mu) extents[mu] = std::max(extents[mu], 2 * bench.grid().ranks()[mu]);
  const GeometryPtr geometry = bench.grid().geometry(extents);
  const Field links = random_vectors(geometry, coarse_links_spec(2 * vectors, exact, bench.location()), 74);
  const auto apply = [&](Precision of) {
    const auto m = coarse_operator(bench, links, of, queue);
    CoarseSchur schur(m, {m, m}, 0, 1);
    Field in(geometry, schur.spec(1)), out(geometry, schur.spec(1));
    copy_parity(in, random_vectors(geometry, m->spec(1), 75), 0, queue);
    schur.apply(out, in);
    queue.synchronize();
    return in_double(out);
  };
  const double off = relative_difference(bench.grid(), apply(storage), apply(exact), queue);
  return expect_small("a coarse operator", off, storage, "as in double");
}

// S = 1 - H H on lattices of equal extents, as long as links fit: random ones, which are slow to make.
void add_coarse_operators(Bench& bench, int vectors) {
  const std::string name = fmt::format("coarse_schur N {}", vectors);
  if (!bench.wants(name)) return;
  const Queue queue = bench.queue();
  const double most_numbers = bench.location() == Location::device ? 1.5e9 : 3e7;
  for (const int length : {2, 4, 6, 8, 10, 12, 16}) {
    const Extents extents{length, length, length, length};
    bool divides = true;
    for (std::size_t mu = 0; mu < 4; ++mu) divides = divides && length % bench.grid().ranks()[mu] == 0;
    if (!divides) continue;
    const GeometryPtr geometry = bench.grid().general_geometry(extents, bench.geometry()->order());
    const FieldSpec spec = coarse_links_spec(2 * vectors, narrow, bench.location());
    if (static_cast<double>(geometry->local_volume()) * spec.subfields * spec.reals() / 2 > most_numbers)
      return;
    const Field links = noise_field(geometry, spec, 76);
    for (const Precision storage : matrix_storages(bench)) {
      if (storage == exact) continue;
      const std::string checked = check_coarse(bench, vectors, storage, queue);
      const auto m = coarse_operator(bench, links, storage, queue);
      for (const int rhs : bench.batches()) {
        CoarseSchur schur(m, {m, m}, 0, rhs);
        Field in(geometry, schur.spec(rhs)), out(geometry, schur.spec(rhs));
        copy_parity(in, noise_field(geometry, m->spec(rhs), 77), 0, queue);
        const Samples samples = bench.time(queue, [&](const Queue&) { schur.apply(out, in); });
        bench.add(name, {storage, 0}, rhs, samples, schur.work(rhs), checked).lattice = extents;
      }
    }
  }
}

// Column after column.
std::vector<std::complex<double>> random_matrix(int rows) {
  std::vector<std::complex<double>> matrix(static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows));
  const auto part = [](std::uint64_t n) { return static_cast<double>(mixed(n) >> 11) * 0x1p-53 - 0.5; };
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = {part(2 * i), part(2 * i + 1)};
  return matrix;
}

std::complex<double> number_of(const Field& field, int rhs, int row) {
  const int components = field.reals_per_site() / 2, site = row / components, c = 2 * (row % components);
  return {get_real(field, rhs, 0, site, c), get_real(field, rhs, 0, site, c + 1)};
}

// Checks one right-hand side, added up on the host in double.
std::string check_dense(const DenseMatrix& dense, const std::vector<std::complex<double>>& matrix,
                        const Field& in, const Field& out) {
  const Field source = on_host(in), result = on_host(out);
  double off = 0, norm = 0;
  for (int row = 0; row < dense.rows(); row += 1 + dense.rows() / 64) {
    std::complex<double> sum = 0;
    for (int column = 0; column < dense.rows(); ++column)
      sum += matrix[static_cast<std::size_t>(column) * static_cast<std::size_t>(dense.rows()) +
                    static_cast<std::size_t>(row)] *
             number_of(source, 0, column);
    off += std::norm(number_of(result, 0, row) - sum);
    norm += std::norm(sum);
  }
  return expect_small("a dense product", std::sqrt(off / norm), dense.storage(), "as on the host");
}

// Adds rows for the even-odd form of a lattice on one rank.
void add_dense_products(Bench& bench, int vectors, const Extents& extents) {
  const ProcessGrid alone(Communicator::alone(), {1, 1, 1, 1});
  const GeometryPtr geometry = alone.general_geometry(extents, bench.geometry()->order());
  const int rows = static_cast<int>(geometry->local_volume()) * vectors;
  const std::string name = fmt::format("dense_product {}", rows);
  if (!bench.wants(name)) return;
  const Queue queue = bench.queue();
  const std::vector<std::complex<double>> matrix = random_matrix(rows);
  for (const Precision storage : bench.all_precisions()) {
    if (storage == exact) continue;
    const DenseMatrix dense(rows, matrix.data(), storage, bench.location());
    for (const int rhs : bench.batches()) {
      const FieldSpec spec = coarse_spec(Subset::even, vectors, rhs, narrow, bench.location());
      Field in(geometry, spec), out(geometry, spec);
      copy_parity(in, noise_field(geometry, spec, 78), 0, queue);
      const Buffer packed(bench.location(), DenseMatrix::packed_bytes(rows, rhs, narrow));
      const auto apply = [&](const Queue& q) { dense.multiply(out, in, 0, ActiveSet(rhs), packed, q); };
      apply(queue);
      queue.synchronize();
      const std::string checked = check_dense(dense, matrix, in, out);
      bench.add(name, {storage, 0}, rhs, bench.time(queue, apply), dense.work(rhs, narrow), checked).lattice =
          extents;
    }
  }
}

}  // namespace

void bench_multigrid(Bench& bench, std::string_view) {
  const bool gpu = bench.location() == Location::device;
  const int vectors = bench.asked.vectors > 0 ? bench.asked.vectors : 24;
  add_transfers(bench, vectors);
  for (const int n : bench.asked.vectors > 0 ? std::vector{vectors} : std::vector{24, 32, 48})
    add_coarse_operators(bench, n);
  add_dense_products(bench, vectors, {2, 2, 2, 4});
  if (gpu) add_dense_products(bench, vectors, {4, 4, 4, 4});
  add_smoothing_steps(bench);
  add_multigrid_setup(bench, vectors);
}

}  // namespace plaq::jobs

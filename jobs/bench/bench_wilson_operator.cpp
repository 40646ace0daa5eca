// The even-odd Wilson and clover operators, and the clover term itself.
#include "comms/shell_exchange.hpp"
#include "core/dispatch.hpp"
#include "jobs/bench/bench.hpp"
#include "jobs/bench/bench_fields.hpp"
#include "jobs/bench/bench_wilson_check.hpp"
#include "kernels/dirac/wilson_schur.hpp"

namespace plaq::jobs {
namespace {

using Form = WilsonSchur::Form;
constexpr int parity = 0;
constexpr Precision wide = Precision::double_precision;

struct Bench {
  const BenchContext& context;
  const ProcessGrid& grid;
  const Queue& queue;
  std::shared_ptr<Transport> transport;
  GeometryPtr geometry;
  Field gauge;

  WilsonSchur schur(const WilsonParameters& parameters, const LinkStorage& storage, Form form,
                    int rhs) const {
    auto hopping =
        std::make_shared<WilsonHopping>(grid, gauge, parameters, storage, queue, transport, 1 - parity);
    auto clover = make_clover_blocks(
        grid, gauge, *hopping,
        form == Form::symmetric ? CloverNeed::schur_symmetric : CloverNeed::schur_asymmetric, parity);
    return WilsonSchur(std::move(hopping), parity, form, rhs, std::move(clover));
  }

  void add_operator(std::vector<BenchRow>& rows, const char* name, const WilsonParameters& parameters,
                    Form form) const {
    for (const int rhs : context.batches()) {
      const FieldSpec spec = spinor_spec(subset_of(parity), rhs, wide, queue.location());
      const Field source = random_spinor(geometry, subset_of(parity), rhs, wide, queue.location(), 42);
      Field expected(geometry, spec);
      schur(parameters, wide, form, rhs).apply(expected, source);
      for (const LinkStorage& storage : context.storages()) {
        WilsonSchur s = schur(parameters, storage, form, rhs);
        Field in(geometry, s.spec(rhs)), out(geometry, s.spec(rhs));
        copy(in, source);
        s.apply(out, in);
        const std::string check = check_against_double(grid, out, expected, storage, queue, 3);
        const Samples samples = measure(context, queue, [&](const Queue&) { s.apply(out, in); });
        rows.push_back(
            operator_row(name, *geometry, to_string(grid.ranks()), storage, rhs, samples, s.work(rhs)));
        rows.back().check = check;
      }
    }
  }

  // C on both parities and its inverse on one, in double. Bytes: links and blocks once.
  void add_clover_term(std::vector<BenchRow>& rows, const WilsonParameters& parameters) const {
    const Field links = with_shell();
    Field term(geometry, clover_spec(Subset::full, wide, queue.location()));
    const CloverTermCall call{&links, &term, parameters.diagonal(), parameters.clover.spatial,
                              parameters.clover.temporal};
    const double sites = static_cast<double>(geometry->local_volume());
    dispatch(queue.location(), wide, [&](auto kind) {
      using Target = typename decltype(kind)::target;
      const Samples s = measure(context, queue, [&](const Queue& q) { launch_clover_term<Target>(call, q); });
      rows.push_back(operator_row("clover_term", *geometry, to_string(grid.ranks()), wide, 1, s,
                                  {0, sites * 8 * (4 * 18 + 72)}));
      rows.back().check = "by clover_inverse";
      Field inverse(geometry, clover_spec(subset_of(parity), wide, queue.location()));
      SumBuffer sums(queue.location(), 6);
      sums.clear(queue, 6);
      const Samples t = measure(context, queue, [&](const Queue& q) {
        launch_clover_inverse<Target>(term, inverse, parity, q, sums);
      });
      rows.push_back(operator_row("clover_inverse", *geometry, to_string(grid.ranks()), wide, 1, t,
                                  {0, sites / 2 * 8 * (72 + 72)}));
      const Field psi = random_spinor(geometry, subset_of(parity), 1, wide, queue.location(), 43);
      Field product(geometry, psi.spec());
      apply_clover(product, psi, term, parity, ActiveSet(1), queue);
      apply_clover(product, product, inverse, parity, ActiveSet(1), queue);
      rows.back().check = check_against_double(grid, product, psi, wide, queue, 100);  // conditioning
    });
  }

 private:
  Field with_shell() const {
    const FieldSpec spec = gauge_spec(wide, queue.location());
    Field links(geometry->extended(1), spec);
    copy(links, gauge);
    ShellExchange(grid, links.geometry_ptr(), spec).exchange(links, queue);
    return links;
  }
};

}  // namespace

std::vector<BenchRow> bench_wilson_operator(const BenchContext& context) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Location location = context.site.location;
  const Extents extents =
      context.lattice(location == Location::device ? Extents{32, 32, 32, 64} : Extents{16, 16, 16, 16});
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(ranks, extents));
  const auto geometry = grid.geometry(extents);
  const Queue queue(location);
  const Bench bench{
      context, grid, queue, make_host_transport(grid, location), geometry, random_gauge(geometry, 41)};
  WilsonParameters wilson, clover;
  wilson.mass = clover.mass = 0.5;  // random links: away from singular blocks
  clover.clover = {1, 1};
  std::vector<BenchRow> rows;
  bench.add_operator(rows, "wilson_schur", wilson, Form::symmetric);
  bench.add_operator(rows, "wilson_schur_asy", wilson, Form::asymmetric);
  bench.add_operator(rows, "clover_schur", clover, Form::symmetric);
  bench.add_operator(rows, "clover_schur_asy", clover, Form::asymmetric);
  bench.add_clover_term(rows, clover);
  return rows;
}

}  // namespace plaq::jobs

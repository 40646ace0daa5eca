// Kernels on gauge fields: smearing, flow, what is measured. Bytes: links read and written once.
#include "comms/halo/extended_halo.hpp"
#include "core/system/error.hpp"
#include "jobs/bench/bench.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/gauge/asqtad_links.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/smearing.hpp"
#include "kernels/gauge/wilson_flow.hpp"

namespace plaq::jobs {
namespace {

constexpr double link = 18, algebra = 8;  // reals

struct Bench {
  const BenchContext& context;
  const ProcessGrid& grid;
  const Queue& queue;
  Field gauge;  // with its halo

  // `reals`: fewest of a site that an application moves.
  template <class Apply>
  BenchRow row(const char* name, double reals, const Apply& apply) {
    const Samples s = measure(context, queue, apply);
    BenchRow r;
    r.name = name;
    r.lattice = to_string(gauge.geometry().global());
    r.grid = to_string(grid.ranks());
    r.precision = name_of(gauge.precision());
    r.samples = s.count;
    r.microseconds = s.median, r.least = s.least, r.most = s.most;
    r.bytes = reals * bytes_of(gauge.precision()) *
              static_cast<double>(gauge.geometry().global_volume() / grid.size());
    return r;
  }
};

// Smearing and flow keep links on SU(3), whatever they are done to.
std::string check_unitarity(const Bench& b) {
  const double found = unitarity_violation(b.grid, b.gauge, b.queue);
  const double allowed = b.gauge.precision() == Precision::double_precision ? 1e-13 : 1e-5;
  if (!(found < allowed))
    throw Error(ErrorKind::internal, "links are off SU(3) by " + std::to_string(found) + " after smearing");
  return "unitarity";
}

// W, a product of links, is in SU(3).
std::string check_unitarity(const Bench& b, const AsqtadLinks& links) {
  const double found = unitarity_violation(b.grid, links.three, b.queue);
  if (!(found < (b.gauge.precision() == Precision::double_precision ? 1e-13 : 1e-5)))
    throw Error(ErrorKind::internal, "three-link products are off SU(3) by " + std::to_string(found));
  return "unitarity of W";
}

}  // namespace

std::vector<BenchRow> bench_gauge(const BenchContext& context) {
  const BenchLattice lattice = context.share(
      context.site.location == Location::device ? Extents{32, 32, 32, 64} : Extents{16, 16, 16, 32});
  const ProcessGrid& grid = *lattice.grid;
  const auto geometry = lattice.geometry, extended = geometry->extended(1);
  const Queue queue = context.plain_queue();
  const Field links = random_gauge(geometry, 21);
  std::vector<BenchRow> rows;
  for (const Precision precision : context.precisions()) {
    Bench b{context, grid, queue, Field(extended, gauge_spec(precision, context.site.location))};
    copy(b.gauge, links);
    ExtendedHalo(grid, extended, b.gauge.spec(), lattice.transport).exchange(b.gauge, queue);
    LinkSmearing smearing(grid, b.gauge, lattice.transport);
    WilsonFlow flow(grid, b.gauge, lattice.transport);
    const std::size_t first = rows.size();
    rows.push_back(
        b.row("plaquette", 4 * link, [&](const Queue& q) { average_plaquette(grid, b.gauge, q); }));
    rows.push_back(b.row("clover", 4 * link, [&](const Queue& q) { measure_clover(grid, b.gauge, q); }));
    rows.push_back(b.row("stout", 8 * link,
                         [&](const Queue& q) { smearing.apply(b.gauge, StoutSmearing{0.05}, 1, q); }));
    rows.push_back(
        b.row("ape", 8 * link, [&](const Queue& q) { smearing.apply(b.gauge, ApeSmearing{0.5}, 1, q); }));
    // Three stages read and write the links; the first writes and the last reads the force, the second both.
    rows.push_back(b.row("flow_step", 3 * 8 * link + 4 * 4 * algebra,
                         [&](const Queue& q) { flow.step(b.gauge, 0.01, q); }));
    const std::string check = check_unitarity(b);
    for (std::size_t i = first; i < rows.size(); ++i) rows[i].check = check;
    // As a job makes them: memory, the exchange of the halo and copies between geometries included.
    Field thin(geometry, b.gauge.spec());
    copy(thin, links);
    AsqtadLinks improved;
    rows.push_back(b.row("asqtad", 3 * 4 * link, [&](const Queue& q) {
      improved = asqtad_links(grid, thin, asqtad_coefficients(0.87), precision, q, lattice.transport);
    }));
    rows.back().check = check_unitarity(b, improved);
  }
  return rows;
}

}  // namespace plaq::jobs

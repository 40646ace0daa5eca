// What the memory does, with plaq's own launch and views: the limit for everything else.
#include <algorithm>

#include "comms/process_grid.hpp"
#include "jobs/bench/bench.hpp"
#include "kernels/blas/blas.hpp"

namespace plaq::jobs {
namespace {

constexpr Extents usual{32, 32, 32, 64};

struct Vectors {
  GeometryPtr geometry;
  Field x, y, z;
};

Vectors make_vectors(Location location, const Extents& extents, Precision precision) {
  Vectors v;
  v.geometry = Geometry::create({extents});
  const FieldSpec spec = spinor_spec(Subset::full, 1, precision, location);
  Field host(v.geometry, spinor_spec(Subset::full, 1, precision, Location::host));
  for (int parity = 0; parity < 2; ++parity)
    for (int s = 0; s < host.layout().sites; ++s) set_real(host, 0, parity, s, s % 24, 1.0 / (1 + s % 977));
  for (Field* f : {&v.x, &v.y, &v.z}) {
    *f = Field(v.geometry, spec);
    copy(*f, host);
  }
  return v;
}

template <class Op>
BenchRow row(const BenchContext& context, const char* name, const Vectors& v,
             const std::array<const Field*, Op::vectors>& fields) {
  const Queue queue(context.site.location);
  blas::Workspace work(queue, 1);
  std::vector<blas::Coefficients> one(1);
  one[0].value[0] = 0.5;
  const Samples s = measure(context, queue, [&](const Queue&) { blas::update<Op>(work, one, fields); });
  BenchRow r;
  r.name = name;
  r.lattice = to_string(v.geometry->global());
  r.precision = name_of(v.x.precision());
  r.samples = s.count;
  r.microseconds = s.median, r.least = s.least, r.most = s.most;
  r.bytes = static_cast<double>(v.geometry->local_volume()) * 24 * bytes_of(v.x.precision()) * Op::vectors;
  r.check = "none needed";
  return r;
}

}  // namespace

// The best of copy and triad in double precision, in which the bytes a thread has in flight are the most.
double stream_bandwidth(const BenchContext& context) {
  const Extents extents = context.site.location == Location::device ? usual : Extents{24, 24, 24, 48};
  const auto v = make_vectors(context.site.location, extents, Precision::double_precision);
  double best = 0;
  for (const BenchRow& r : {row<blas::Copy>(context, "copy", v, {&v.x, &v.y}),
                            row<blas::Triad>(context, "triad", v, {&v.x, &v.y, &v.z})})
    best = std::max(best, r.bytes / (1e-6 * r.least));
  return best;
}

std::vector<BenchRow> bench_bandwidth(const BenchContext& context) {
  std::vector<BenchRow> rows;
  for (const Precision precision : context.precisions()) {
    const auto v = make_vectors(context.site.location, context.lattice(usual), precision);
    rows.push_back(row<blas::Copy>(context, "copy", v, {&v.x, &v.y}));
    rows.push_back(row<blas::Triad>(context, "triad", v, {&v.x, &v.y, &v.z}));
  }
  return rows;
}

}  // namespace plaq::jobs

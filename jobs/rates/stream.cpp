#include "jobs/rates/stream.hpp"

#include <algorithm>

#include "core/system/dry_run.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq::jobs {
namespace {

struct Vectors {
  Field x, y, z;
};

Vectors make_vectors(Location location, const Extents& extents, Precision precision) {
  Vectors v;
  const auto geometry = Geometry::create({extents});
  const FieldSpec spec = spinor_spec(Subset::full, 1, precision, location);
  Field host(geometry, spinor_spec(Subset::full, 1, precision, Location::host));
  for (int parity = 0; parity < 2 && !runs_dry(); ++parity)
    for (int s = 0; s < host.layout().sites; ++s) set_real(host, 0, parity, s, s % 24, 1.0 / (1 + s % 977));
  for (Field* f : {&v.x, &v.y, &v.z}) {
    *f = Field(geometry, spec);
    copy(*f, host);
  }
  return v;
}

template <class Op>
StreamRate rate(const Communicator& ranks, const char* name, int samples,
                const std::array<const Field*, Op::vectors>& fields) {
  const Field& x = *fields[0];
  const Queue queue(x.location());
  blas::Workspace work(queue, 1);
  std::vector<blas::Coefficients> one(1);
  one[0].value[0] = 0.5;
  return {name, measure(ranks, queue, samples, [&](const Queue&) { blas::update<Op>(work, one, fields); }),
          static_cast<double>(x.geometry().local_volume()) * 24 * bytes_of(x.precision()) * Op::vectors};
}

}  // namespace

std::array<StreamRate, 2> measure_streams(const Communicator& ranks, Location location,
                                          const Extents& extents, Precision precision, int samples) {
  const Vectors v = make_vectors(location, extents, precision);
  return {rate<blas::Copy>(ranks, "copy", samples, {&v.x, &v.y}),
          rate<blas::Triad>(ranks, "triad", samples, {&v.x, &v.y, &v.z})};
}

double stream_bandwidth(const Communicator& ranks, Location location, int samples) {
  double best = 0;
  for (const StreamRate& r :
       measure_streams(ranks, location, stream_extents(location), Precision::double_precision, samples))
    best = std::max(best, r.bytes / (1e-6 * r.samples.least));
  return best;
}

Extents stream_extents(Location location) {
  return location == Location::device ? Extents{32, 32, 32, 64} : Extents{24, 24, 24, 48};
}

}  // namespace plaq::jobs

// What the memory does, with plaq's own launch and views: the limit for everything else.
#include "jobs/bench/bench.hpp"
#include "jobs/rates/stream.hpp"

namespace plaq::jobs {

std::vector<BenchRow> bench_bandwidth(const BenchContext& context) {
  const Extents extents = context.lattice({32, 32, 32, 64});
  std::vector<BenchRow> rows;
  for (const Precision precision : context.precisions())
    for (const StreamRate& stream :
         measure_streams(context.site.location, extents, precision, context.options.repeats)) {
      BenchRow r;
      r.name = stream.name;
      r.lattice = to_string(extents);
      r.precision = name_of(precision);
      r.samples = stream.samples.count;
      r.microseconds = stream.samples.median, r.least = stream.samples.least, r.most = stream.samples.most;
      r.bytes = stream.bytes;
      r.check = "none needed";
      rows.push_back(r);
    }
  return rows;
}

}  // namespace plaq::jobs

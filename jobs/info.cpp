// plaq info: what a file holds.
#include <mpi.h>

#include "jobs/collective_check.hpp"
#include "jobs/commands.hpp"
#include "jobs/info_report.hpp"
#include "jobs/result_file.hpp"

namespace plaq::jobs {

int show_info(const InfoOptions& options) {
  // The extents of a gauge field; none for a result, which one rank alone has shown.
  const Extents extents = extents_from_first_rank([&]() -> Extents {
    if (!is_hdf5(options.file)) return inspect_gauge_file(options.file).extents;
    show_results(options);
    return {};
  });
  if (extents != Extents{}) show_gauge(options, extents);
  return 0;
}

}  // namespace plaq::jobs

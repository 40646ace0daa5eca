// plaq info: what a file holds.
#include "jobs/common/collective_check.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/files/info_report.hpp"
#include "jobs/files/stored_field.hpp"

namespace plaq::jobs {

int show_info(const InfoOptions& options) {
  const StoredField stored = find_stored_field(options.file);
  switch (stored.kind) {
    case StoredKind::gauge:
      show_gauge(options, stored.extents);
      break;
    case StoredKind::propagator:
      show_propagator(options, stored.extents, stored.precision);
      break;
    case StoredKind::results:
      on_first_rank([&] { show_results(options); });
  }
  return 0;
}

}  // namespace plaq::jobs

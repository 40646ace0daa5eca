#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/system/log.hpp"
#include "gaugefix/run/gauge_fixer.hpp"
#include "io/gauge/link_survey.hpp"
#include "io/transformation/transformation_file.hpp"
#include "jobs/files/convert.hpp"
#include "jobs/files/stored_field.hpp"
#include "kernels/gauge/temporal_gauge.hpp"

namespace plaq::jobs {
namespace {

// Tolerance of the plaquette, relative; averages over few random links may be near 0.
constexpr double tolerance = 1e-9, least_scale = 0.01;

}  // namespace

std::vector<HeaderEntry> transform_links(const std::string& path, const ProcessGrid& grid, Field& links,
                                         double plaquette) {
  const Queue queue(Location::host);
  Field g(links.geometry_ptr(), gauge_frame_spec(Precision::double_precision, Location::host));
  const TransformationReadReport report = read_transformation(path, grid, g);
  // Matrices that were kept in single precision would take the links out of SU(3).
  if (report.unitarity_violation > usual_double_deviation) project_transformation(g, queue);
  transform_gauge(grid, links, g, queue, make_host_transport(grid, Location::host));
  const double found = measure_on_host(grid, links).plaquette.all;
  if (!(std::abs(found - plaquette) <= tolerance * std::max(std::abs(plaquette), least_scale)))
    throw Error(
        ErrorKind::input_file,
        fmt::format("{}: the gauge transformation changes the plaquette: expected {:.15g}, found {:.15g}",
                    path, plaquette, found));
  log::info(fmt::format("applied the gauge transformation {}, checksum {}", path, report.checksum.text()));
  return report.info.entries;
}

}  // namespace plaq::jobs

#include "jobs/rates/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/system/dry_run.hpp"
#include "jobs/rates/random_fields.hpp"

namespace plaq::jobs {
namespace {

// Products of two random links: of one, the third row was made just as kernels restore it, bit for bit.
Field haar_links(const GeometryPtr& geometry) {
  Field links = random_gauge(geometry, 21);
  const Field others = random_gauge(geometry, 23);
  if (runs_dry()) return links;
  const auto link = [](const Field& field, int mu, int parity, int s) {
    Matrix3<double> u;
    for (int k = 0; k < 9; ++k)
      u.e[k / 3][k % 3] = {get_real(field, mu, parity, s, 2 * k), get_real(field, mu, parity, s, 2 * k + 1)};
    return u;
  };
  for (int mu = 0; mu < 4; ++mu)
    for (int parity = 0; parity < 2; ++parity)
      for (int s = 0; s < geometry->shape().half_volume; ++s) {
        const auto u = link(links, mu, parity, s) * link(others, mu, parity, s);
        for (int k = 0; k < 9; ++k) {
          set_real(links, mu, parity, s, 2 * k, u.e[k / 3][k % 3].re);
          set_real(links, mu, parity, s, 2 * k + 1, u.e[k / 3][k % 3].im);
        }
      }
  return links;
}

}  // namespace

std::vector<double> usual_epsilons() {
  std::vector<double> epsilons;
  for (int decade = -18; decade < 0; ++decade)
    for (const double digit : {1.0, 3.0}) epsilons.push_back(digit * std::pow(10.0, decade));
  return epsilons;
}

AccuracyProblem::AccuracyProblem(const ProcessGrid& grid, const GeometryPtr& geometry, Location location,
                                 std::shared_ptr<Transport> transport)
    : grid_(&grid),
      geometry_(geometry),
      location_(location),
      transport_(std::move(transport)),
      gauge_(haar_links(geometry)) {
  eta_ = random_spinor(geometry, Subset::even, 1, Precision::double_precision, Location::host, 22);
  for (int s = 0; s < geometry->shape().half_volume && !runs_dry(); ++s)  // from (-1, 1)
    for (int r = 0; r < 24; ++r) set_real(eta_, 0, 0, s, r, 0.5 + 0.5 * get_real(eta_, 0, 0, s, r));
  exact_ = applied({Precision::double_precision, 18});
}

WilsonSchur AccuracyProblem::make_operator(const LinkStorage& storage) const {
  const auto hopping = std::make_shared<WilsonHopping>(*grid_, gauge_, WilsonParameters{}, storage,
                                                       Queue(location_), transport_);
  return WilsonSchur(hopping, 0, WilsonSchur::Form::symmetric, 1);
}

Field AccuracyProblem::eta(Precision precision) const {
  Field field(geometry_, spinor_spec(Subset::even, 1, precision, location_));
  copy(field, eta_);
  return field;
}

Field AccuracyProblem::applied(const LinkStorage& storage) const {
  WilsonSchur m = make_operator(storage);
  Field out(geometry_, m.spec(1)), on_host(geometry_, eta_.spec());
  m.apply(out, eta(storage.precision));
  m.queue().synchronize();
  copy(on_host, out);
  return on_host;
}

AccuracyCurve AccuracyProblem::curve(const LinkStorage& storage, const std::vector<double>& epsilons) const {
  const Field found = applied(storage);
  const CountedMemory counted("deviations of components", eta_.bytes());
  if (runs_dry()) return {std::vector<double>(epsilons.size()), 0};
  std::vector<double> deviations;
  AccuracyCurve curve;
  for (int s = 0; s < geometry_->shape().half_volume; ++s)
    for (int r = 0; r < 24; ++r) {
      const double off = std::abs(get_real(found, 0, 0, s, r) - get_real(exact_, 0, 0, s, r));
      deviations.push_back(std::isnan(off) ? INFINITY : off);
      curve.largest = off <= curve.largest ? curve.largest : off;
    }
  std::sort(deviations.begin(), deviations.end());
  std::vector<std::int64_t> counts;
  for (const double epsilon : epsilons)
    counts.push_back(deviations.end() - std::lower_bound(deviations.begin(), deviations.end(), epsilon));
  grid_->comm().sum(std::span(counts));
  const double components = 12 * static_cast<double>(geometry_->global_volume());
  for (const auto count : counts) curve.proportions.push_back(static_cast<double>(count) / components);
  curve.largest = global_max(*grid_, curve.largest);
  return curve;
}

}  // namespace plaq::jobs

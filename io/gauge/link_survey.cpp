#include "io/gauge/link_survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <iterator>
#include <span>

#include "core/system/wording.hpp"

namespace plaq {
namespace {

// Not std::complex's, which looks for infinities.
std::complex<double> product(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

double largest(std::complex<double> z) { return std::max(std::abs(z.real()), std::abs(z.imag())); }

double unitarity_violation(const std::complex<double> (&u)[3][3]) {
  double worst = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      std::complex<double> sum = i == j ? -1.0 : 0.0;
      for (int k = 0; k < 3; ++k) sum += product(u[i][k], std::conj(u[j][k]));
      worst = std::max(worst, largest(sum));
    }
  return worst;
}

std::complex<double> determinant(const std::complex<double> (&u)[3][3]) {
  const auto minor = [&](int a, int b) { return product(u[1][a], u[2][b]) - product(u[1][b], u[2][a]); };
  return product(u[0][0], minor(1, 2)) + product(u[0][1], minor(2, 0)) + product(u[0][2], minor(0, 1));
}

}  // namespace

void LinkSurvey::add(const double (&link)[18], std::int64_t place, bool last_time_slice) {
  double finite = 0;  // NaN when any is not finite
  for (const double real : link) finite += real * 0.0;
  std::complex<double> u[3][3];
  std::memcpy(u, link, sizeof u);
  const double unitarity = unitarity_violation(u);
  const std::complex<double> det = determinant(u);
  const double deviation = std::max(unitarity, largest(det - 1.0));
  if (finite == 0 && deviation <= largest_deviation) {
    worst_ = std::max(worst_, deviation);
    return;
  }
  if (place >= place_) return;
  place_ = place;
  unitarity_ = unitarity;
  det_re_ = det.real();
  det_im_ = det.imag();
  const bool negative = last_time_slice && place % 4 == 3 && unitarity <= largest_deviation &&
                        largest(det + 1.0) <= largest_deviation;
  const bool open = last_time_slice && place % 4 == 3 &&
                    std::all_of(std::begin(link), std::end(link), [](double real) { return real == 0; });
  fault_ = finite != 0 ? Fault::not_finite : negative ? Fault::negative : open ? Fault::open : Fault::not_su3;
}

void LinkSurvey::merge(const LinkSurvey& other) {
  const double worst = std::max(worst_, other.worst_);
  if (other.place_ < place_) *this = other;
  worst_ = worst;
}

void LinkSurvey::combine(const ProcessGrid& grid) {
  worst_ = global_max(grid, worst_);
  const std::int64_t first = grid.comm().min(place_);
  if (first == nowhere) return;
  const int owner = grid.comm().max(place_ == first ? grid.rank() : 0);  // a site has one owner
  double details[4] = {static_cast<double>(fault_), unitarity_, det_re_, det_im_};
  grid.comm().broadcast(std::span(details), owner);
  place_ = first;
  fault_ = static_cast<Fault>(static_cast<int>(details[0]));
  unitarity_ = details[1];
  det_re_ = details[2];
  det_im_ = details[3];
}

void LinkSurvey::check(ErrorKind kind, const std::string& path, const Extents& global, bool links) const {
  if (fault_ == Fault::none) return;
  std::int64_t site = place_ / 4;
  int c[4];
  for (std::size_t mu = 0; mu < 4; ++mu) {
    c[mu] = static_cast<int>(site % global[mu]);
    site /= global[mu];
  }
  const std::string where =
      fmt::format("{} of site (x,y,z,t) = ({},{},{},{})",
                  links ? fmt::format("link {}", "xyzt"[place_ % 4]) : "the matrix", c[0], c[1], c[2], c[3]);
  std::string what;
  switch (fault_) {
    case Fault::not_finite:
      what = fmt::format("{} is not a finite number (NaN or Inf)", where);
      break;
    case Fault::negative:
      what = fmt::format(
          "the links of the last time slice carry the antiperiodic sign ({} has determinant -1, all before "
          "it are SU(3)): expected plain SU(3) links, boundary conditions are the job's; {} (of plaq "
          "convert: "
          "--strip-antiperiodic) takes the sign off",
          where, wording().setting("gauge", "antiperiodic", "\"strip\""));
      break;
    case Fault::open:
      what = fmt::format(
          "the field has open boundaries in time ({} is 0, all links before it are SU(3)): expected a field "
          "that "
          "is periodic in time, plaq has no open boundaries",
          where);
      break;
    default:
      what = fmt::format(
          "{} is not SU(3): expected U U^dagger = 1 and determinant 1 within {}, found deviation {:.3g} and "
          "determinant {:.7g}{:+.2g}i",
          where, largest_deviation, unitarity_, det_re_, det_im_);
  }
  throw Error(kind, fmt::format("{}: {}", path, what));
}

}  // namespace plaq

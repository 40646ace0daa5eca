#include "dynamics/rational/remez.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "core/system/error.hpp"
#include "dynamics/rational/polynomial.hpp"
#include "dynamics/rational/symmetric_eigen.hpp"
#include "dynamics/rational/zolotarev.hpp"

namespace plaq {
namespace {

namespace mp = boost::multiprecision;
using Number = mp::number<mp::cpp_bin_float<60>, mp::et_off>;
using Numbers = std::vector<Number>;

// f as a function of y = x + m^2, m^2 the smallest mass2: [low + m^2, high + m^2] is the interval where f
// varies on a logarithmic scale.
struct TargetFunction {
  Number shift, low, high;
  std::vector<std::pair<Number, Number>> factors;  // (power, mass2 - shift)

  TargetFunction(const PowerProduct& f, SpectralRange range) {
    const auto& all = f.factors();
    shift =
        std::min_element(all.begin(), all.end(), [](auto& a, auto& b) { return a.mass2 < b.mass2; })->mass2;
    low = range.low + shift;
    high = range.high + shift;
    for (const auto& [power, mass2] : all) factors.emplace_back(power, mass2 - shift);
  }
  Number operator()(const Number& y) const {
    Number logarithm = 0;
    for (const auto& [power, mass2] : factors) logarithm += power * log(y + mass2);
    return exp(logarithm);
  }
  // f'/f
  Number slope(const Number& y) const {
    Number sum = 0;
    for (const auto& [power, mass2] : factors) sum += power / (y + mass2);
    return sum;
  }
};

struct Ratio {
  Polynomial<Number> p, q;
  Number operator()(const Number& y) const { return p.at(y).value / q.at(y).value; }
  // r'/r
  Number slope(const Number& y) const {
    const auto above = p.at(y), below = q.at(y);
    return above.first / above.value - below.first / below.value;
  }
};

// An orthonormal basis of the polynomials of degree up to n at the points, for the weights |w_k| f_k: by
// Lanczos' recursion with full orthogonalisation. basis[j][k] = sqrt(|w_k| f_k) p_j(y_k).
std::vector<Numbers> orthonormal_basis(const Numbers& y, const Numbers& roots_of_weights, std::size_t n) {
  std::vector<Numbers> basis;
  Numbers next = roots_of_weights;
  for (std::size_t j = 0; j <= n; ++j) {
    for (int pass = 0; pass < 2; ++pass)
      for (const Numbers& b : basis) {
        Number overlap = 0;
        for (std::size_t k = 0; k < y.size(); ++k) overlap += b[k] * next[k];
        for (std::size_t k = 0; k < y.size(); ++k) next[k] -= overlap * b[k];
      }
    Number square = 0;
    for (const Number& value : next) square += value * value;
    const Number norm = sqrt(square);
    for (Number& value : next) value /= norm;
    basis.push_back(next);
    for (std::size_t k = 0; k < y.size(); ++k) next[k] *= y[k];
  }
  return basis;
}

// Roots of |w_k| f_k.
Numbers roots_of_weights(const Numbers& y, const Numbers& f) {
  Numbers roots;
  for (std::size_t k = 0; k < y.size(); ++k) {
    Number product = 1;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (i != k) product *= abs(y[k] - y[i]);
    roots.push_back(sqrt(f[k] / product));
  }
  return roots;
}

// Q at the points, if it has one sign there.
std::optional<Numbers> denominator(const std::vector<Numbers>& basis, const Numbers& roots,
                                   const Numbers& vector) {
  Numbers q(roots.size(), Number(0));
  for (std::size_t k = 0; k < q.size(); ++k) {
    for (std::size_t j = 0; j < vector.size(); ++j) q[k] += vector[j] * basis[j][k];
    q[k] /= roots[k];
  }
  const auto positive = [](const Number& value) { return value > 0; };
  const auto count = std::count_if(q.begin(), q.end(), positive);
  if (count != 0 && count != static_cast<std::ptrdiff_t>(q.size())) return std::nullopt;
  return q;
}

// Eigenvectors of `signs` in double precision; those whose Q has the fewest changes of sign come first.
std::vector<Numbers> promising_vectors(const std::vector<Numbers>& signs, const std::vector<Numbers>& basis) {
  std::vector<std::vector<double>> rounded, functions;
  const auto add_row = [](std::vector<std::vector<double>>& to, const Numbers& row) {
    to.emplace_back();
    for (const Number& value : row) to.back().push_back(static_cast<double>(value));
  };
  for (const Numbers& row : signs) add_row(rounded, row);
  for (const Numbers& row : basis) add_row(functions, row);
  std::vector<std::pair<int, Numbers>> found;
  for (const std::vector<double>& vector : symmetric_eigen(std::move(rounded)).vectors) {
    int changes = 0;
    double before = 0;
    for (std::size_t k = 0; k < functions[0].size(); ++k) {
      double q = 0;
      for (std::size_t j = 0; j < vector.size(); ++j) q += vector[j] * functions[j][k];
      changes += q * before < 0;
      before = q;
    }
    found.emplace_back(changes, Numbers(vector.begin(), vector.end()));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Numbers> vectors;
  for (auto& [changes, vector] : found) vectors.push_back(std::move(vector));
  return vectors;
}

struct Level {
  Number error;
  Numbers q;  // at the points
};

// The eigenvector of `signs` whose Q has one sign. Double precision finds it mostly, and then no other one is
// needed in 60 digits.
std::optional<Level> level_of(const std::vector<Numbers>& signs, const std::vector<Numbers>& basis,
                              const Numbers& roots) {
  const auto promising = promising_vectors(signs, basis);
  for (std::size_t e = 0; e < std::min<std::size_t>(2, promising.size()); ++e)
    if (const auto pair = refined(signs, promising[e]))
      if (auto q = denominator(basis, roots, pair->vector)) return Level{pair->value, std::move(*q)};
  const auto eigen = symmetric_eigen(signs);
  for (std::size_t e = 0; e < eigen.values.size(); ++e)
    if (auto q = denominator(basis, roots, eigen.vectors[e])) return Level{eigen.values[e], std::move(*q)};
  return std::nullopt;
}

// r with r(y_k) = f(y_k) (1 + (-1)^k E) and Q > 0 at the points; nothing if there is none.
std::optional<Ratio> level_error(const TargetFunction& target, const Numbers& y) {
  const std::size_t n = y.size() / 2 - 1;
  Numbers f;
  for (const Number& point : y) f.push_back(target(point));
  const Numbers roots = roots_of_weights(y, f);
  const auto basis = orthonormal_basis(y, roots, n);
  std::vector<Numbers> signs(n + 1, Numbers(n + 1, Number(0)));
  for (std::size_t i = 0; i <= n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t k = 0; k < y.size(); ++k)
        signs[i][j] += (k % 2 == 0 ? basis[i][k] : Number(-basis[i][k])) * basis[j][k];
      signs[j][i] = signs[i][j];
    }
  const auto level = level_of(signs, basis, roots);
  if (!level) return std::nullopt;
  Numbers points, above, below;  // every second one determines P and Q
  for (std::size_t k = 0; k < y.size(); k += 2) {
    points.push_back(y[k]);
    below.push_back(level->q[k]);
    above.push_back(f[k] * (1 - level->error) * level->q[k]);
  }
  return Ratio{Polynomial<Number>::through(points, above), Polynomial<Number>::through(points, below)};
}

// A zero of g between a and b, where it has different signs, to 20 digits: Illinois' rule of false position.
template <class Function>
Number zero_between(Function g, Number a, Number ga, Number b, Number gb) {
  for (int step = 0; step < 200 && abs(b - a) > 1e-20 * abs(b); ++step) {
    Number c = b - gb * (b - a) / (gb - ga);
    const Number gc = g(c);
    if (gc == 0) return c;
    if ((gc < 0) == (gb < 0)) {
      ga /= 2;
    } else {
      a = b;
      ga = gb;
    }
    b = c;
    gb = gc;
  }
  return b;
}

struct Extremum {
  Number y, error;  // r/f - 1
};

// Extrema of the error with alternating signs, the ends of the interval included. Between two old points are
// eight trial points.
std::vector<Extremum> alternating_extrema(const TargetFunction& target, const Ratio& r, const Numbers& old) {
  const auto slope = [&](const Number& y) { return Number(r.slope(y) - target.slope(y)); };
  constexpr int trials = 8;
  Numbers places{old.front()};
  Number y = old.front(), at_y = slope(y);
  for (std::size_t k = 0; k + 1 < old.size(); ++k) {
    const Number factor = exp(log(old[k + 1] / old[k]) / trials);
    for (int trial = 1; trial <= trials; ++trial) {
      const Number next = trial == trials ? old[k + 1] : Number(y * factor), at_next = slope(next);
      if ((at_y < 0) != (at_next < 0)) places.push_back(zero_between(slope, y, at_y, next, at_next));
      y = next;
      at_y = at_next;
    }
  }
  places.push_back(old.back());
  std::vector<Extremum> extrema;
  for (const Number& place : places) {
    const Extremum next{place, r(place) / target(place) - 1};
    if (extrema.empty() || (extrema.back().error < 0) != (next.error < 0))
      extrema.push_back(next);
    else if (abs(next.error) > abs(extrema.back().error))
      extrema.back() = next;
  }
  return extrema;
}

constexpr const char* no_denominator = "Remez' algorithm finds no positive denominator";
constexpr const char* lost_extremum = "Remez' algorithm loses an extremum of the error";
constexpr const char* no_convergence = "Remez' algorithm does not converge";
constexpr const char* other_roots = "its zeros and poles are not real and negative";

struct Exchange {
  Numbers y;         // 2n + 2 points, from the lower end of the interval to the upper one
  Ratio r;           // its error has equal sizes at the points before the last move
  Number delta = 0;  // largest error
  const char* failure = nullptr;
};

// Remez' algorithm from `y`, until the extrema of the error agree within `tolerance`.
Exchange exchange(const TargetFunction& target, Numbers y, double tolerance) {
  for (int step = 0; step < 100; ++step) {
    std::optional<Ratio> r = level_error(target, y);
    if (!r) return {y, {}, 0, no_denominator};
    std::vector<Extremum> extrema = alternating_extrema(target, *r, y);
    if (extrema.size() < y.size()) return {y, {}, 0, lost_extremum};
    while (extrema.size() > y.size())
      extrema.erase(abs(extrema.front().error) < abs(extrema.back().error) ? extrema.begin()
                                                                           : extrema.end() - 1);
    Number least = abs(extrema.front().error), largest = least;
    for (std::size_t k = 0; k < y.size(); ++k) {
      y[k] = extrema[k].y;
      least = std::min<Number>(least, abs(extrema[k].error));
      largest = std::max<Number>(largest, abs(extrema[k].error));
    }
    if (largest <= least * (1 + tolerance)) return {y, std::move(*r), largest};
  }
  return {y, {}, 0, no_convergence};
}

Numbers zolotarev_points(const TargetFunction& target, int degree) {
  Numbers y;
  for (const long double point :
       zolotarev_extrema(static_cast<long double>(target.low), static_cast<long double>(target.high), degree))
    y.emplace_back(point);
  y.front() = target.low;
  y.back() = target.high;
  return y;
}

// First points of degree n: extrema of Zolotarev's function, moved as those of about half the degree moved on
// their way to the extrema of f. Products of several powers need it: their extrema lie elsewhere.
Numbers first_points(const TargetFunction& target, int degree) {
  Numbers y = zolotarev_points(target, degree);
  if (degree < 4) return y;
  const int half = (degree + 1) / 2;
  const Numbers from = zolotarev_points(target, half);
  const Exchange coarse = exchange(target, first_points(target, half), 0.1);
  if (coarse.failure) return y;
  std::size_t k = 0;
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    while (from[k + 1] < y[i]) ++k;
    const Number share = log(y[i] / from[k]) / log(from[k + 1] / from[k]);
    y[i] = coarse.y[k] * exp(share * log(coarse.y[k + 1] / coarse.y[k]));
  }
  return y;
}

// Minus the roots, in x = y - shift; nothing unless all are real and below y = 0.
std::vector<double> squares(const Polynomial<Number>& p, const Number& shift) {
  std::vector<double> all;
  const auto roots = p.negative_roots();
  if (roots)
    for (const Number& root : *roots) all.push_back(static_cast<double>(Number(shift - root)));
  return all;
}

}  // namespace

RationalApproximation remez(const PowerProduct& f, SpectralRange range, int degree, double tolerance) {
  require(degree >= 1 && range.low > 0 && range.low < range.high,
          "an approximation has a degree and a range");
  const TargetFunction target(f, range);
  const Exchange best = exchange(target, first_points(target, degree), tolerance);
  const auto fail = [&](const char* reason) {
    throw Error(ErrorKind::not_converged, fmt::format("rational approximation of {} on [{:.6g}, {:.6g}], "
                                                      "degree {}: {}; choose another degree, range or powers",
                                                      f.text(), range.low, range.high, degree, reason));
  };
  if (best.failure) fail(best.failure);
  const std::vector<double> nu2 = squares(best.r.p, target.shift), mu2 = squares(best.r.q, target.shift);
  if (nu2.empty() || mu2.empty()) fail(other_roots);
  return {RationalFunction(static_cast<double>(Number(best.r.p.c.back() / best.r.q.c.back())), nu2, mu2), f,
          range, static_cast<double>(best.delta)};
}

}  // namespace plaq

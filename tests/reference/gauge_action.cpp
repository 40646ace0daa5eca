#include "tests/reference/gauge_action.hpp"

#include <algorithm>
#include <set>

#include "tests/reference/smearing.hpp"

namespace plaq::reference {
namespace {

int reversed(int step) { return step >= 0 ? step - 4 : step + 4; }
int direction(int step) { return step >= 0 ? step : step + 4; }
int moved(const Lattice& lattice, int site, int step) {
  return step >= 0 ? lattice.forward(site, step) : lattice.backward(site, direction(step));
}

// The least of all rotations of a closed path and of its reverse.
Path canonical(const Path& path) {
  Path back;
  for (auto step = path.rbegin(); step != path.rend(); ++step) back.push_back(reversed(*step));
  Path best = path;
  for (Path p : {path, back})
    for (std::size_t k = 0; k < path.size(); ++k) {
      std::rotate(p.begin(), p.begin() + 1, p.end());
      best = std::min(best, p);
    }
  return best;
}

// All products of signed directions of `make`, once each.
template <class Make>
std::vector<Path> distinct(int directions, const Make& make) {
  std::set<Path> paths;
  int choices = 1;
  for (int k = 0; k < directions; ++k) choices *= 8;
  for (int n = 0; n < choices; ++n) {
    std::vector<int> s;
    for (int k = 0, rest = n; k < directions; ++k, rest /= 8) s.push_back(rest % 8 - 4);
    bool differ = true;
    for (int i = 0; i < directions; ++i)
      for (int j = 0; j < i; ++j) differ = differ && direction(s[i]) != direction(s[j]);
    if (!differ) continue;
    const Path path = make(s);
    if (!path.empty()) paths.insert(canonical(path));
  }
  return {paths.begin(), paths.end()};
}

ColorMatrix step_link(const GaugeField& gauge, int site, int step) {
  if (step >= 0) return gauge.link[site][step];
  return dagger(gauge.link[gauge.lattice.backward(site, direction(step))][direction(step)]);
}

}  // namespace

std::vector<Path> plaquettes(bool with_time) {
  return distinct(2, [&](const std::vector<int>& s) {
    if ((direction(s[0]) == 3 || direction(s[1]) == 3) != with_time) return Path{};
    return Path{s[0], s[1], reversed(s[0]), reversed(s[1])};
  });
}

std::vector<Path> rectangles(int links_in_time) {
  return distinct(2, [&](const std::vector<int>& s) {
    const int in_time = direction(s[0]) == 3 ? 2 : direction(s[1]) == 3 ? 1 : 0;
    if (in_time != links_in_time) return Path{};
    return Path{s[0], s[0], s[1], reversed(s[0]), reversed(s[0]), reversed(s[1])};
  });
}

std::vector<Path> chairs() {
  return distinct(3, [](const std::vector<int>& s) {
    return Path{s[0], s[1], s[2], reversed(s[0]), reversed(s[1]), reversed(s[2])};
  });
}

double loop_sum(const GaugeField& gauge, const std::vector<Path>& paths) {
  double sum = 0;
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    for (const Path& path : paths) {
      ColorMatrix product = ColorMatrix::unit();
      int y = x;
      for (const int step : path) {
        product = product * step_link(gauge, y, step);
        y = moved(gauge.lattice, y, step);
      }
      sum += trace(product).real();
    }
  return sum;
}

double gauge_action(const GaugeField& gauge, const std::vector<WeightedLoops>& action) {
  double s = 0;
  for (const auto& [paths, weight] : action) s -= weight / 3 * loop_sum(gauge, paths);
  return s;
}

void cut_open(const GaugeField& gauge, int site, const Path& path, const ColorMatrix& z,
              std::vector<std::array<ColorMatrix, 4>>& n) {
  const Lattice& lattice = gauge.lattice;
  std::vector<int> sites{site};
  for (const int step : path) sites.push_back(moved(lattice, sites.back(), step));
  const int length = static_cast<int>(path.size());
  const auto product = [&](int first, int end) {
    ColorMatrix links = ColorMatrix::unit();
    for (int k = first; k < end; ++k) links = links * step_link(gauge, sites[k], path[k]);
    return links;
  };
  for (int k = 0; k < length; ++k) {
    // T stands before U, or -T behind U^dagger.
    const bool forward = path[k] >= 0;
    const int at = forward ? k : k + 1, mu = direction(path[k]),
              link_site = forward ? sites[k] : sites[k + 1];
    const ColorMatrix cut = product(at, length) * z * product(0, at);
    n[link_site][mu] = n[link_site][mu] + Complex(forward ? 1 : -1) * cut;
  }
}

std::vector<std::array<ColorMatrix, 4>> gauge_force(const GaugeField& gauge,
                                                    const std::vector<WeightedLoops>& action) {
  std::vector<std::array<ColorMatrix, 4>> n(gauge.link.size());
  for (const auto& [paths, weight] : action)
    for (int x = 0; x < gauge.lattice.volume(); ++x)
      for (const Path& path : paths) cut_open(gauge, x, path, Complex(weight) * ColorMatrix::unit(), n);
  for (auto& links : n)
    for (ColorMatrix& m : links) m = Complex(1.0 / 6) * traceless_antihermitian(m);
  return n;
}

}  // namespace plaq::reference

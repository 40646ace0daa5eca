#include "tests/reference/aggregates.hpp"

#include <cmath>

namespace plaq::reference {

template <class F>
void Aggregates::for_rows(int box, int chirality, F&& f) const {
  const int half = components_ / chiralities_;
  for (int slice = 0; slice < slices_; ++slice)
    for (const int site : sites_[static_cast<std::size_t>(box)])
      for (int i = 0; i < half; ++i)
        f(static_cast<std::size_t>((slice * fine_.volume() + site) * components_ + chirality * half + i));
}

Aggregates::Aggregates(const Lattice& fine, const std::array<int, 4>& box, int components, int chiralities,
                       const std::vector<Vector>& vectors, int slices)
    : fine_(fine),
      box_(box),
      components_(components),
      chiralities_(chiralities),
      slices_(slices),
      v_(vectors) {
  for (std::size_t mu = 0; mu < 4; ++mu) coarse_.extents[mu] = fine.extents[mu] / box[mu];
  sites_.resize(static_cast<std::size_t>(coarse_.volume()));
  for (int site = 0; site < fine.volume(); ++site)
    sites_[static_cast<std::size_t>(box_of(site))].push_back(site);
  for (int b = 0; b < coarse_.volume(); ++b)
    for (int chirality = 0; chirality < chiralities; ++chirality)
      for (std::size_t k = 0; k < v_.size(); ++k) {
        for (int again = 0; again < 2; ++again)
          for (std::size_t j = 0; j < k; ++j) {
            const Complex overlap = dot(v_[j], v_[k], b, chirality);
            for_rows(b, chirality, [&](std::size_t row) { v_[k][row] -= overlap * v_[j][row]; });
          }
        const double norm = std::sqrt(dot(v_[k], v_[k], b, chirality).real());
        for_rows(b, chirality, [&](std::size_t row) { v_[k][row] /= norm; });
      }
}

int Aggregates::box_of(int site) const {
  Coordinates x = fine_.coordinates(site);
  for (std::size_t mu = 0; mu < 4; ++mu) x[mu] /= box_[mu];
  return coarse_.index(x);
}

Aggregates::Complex Aggregates::dot(const Vector& a, const Vector& b, int box, int chirality) const {
  Complex sum = 0;
  for_rows(box, chirality, [&](std::size_t row) { sum += std::conj(a[row]) * b[row]; });
  return sum;
}

Aggregates::Vector Aggregates::restrict(const Vector& fine) const {
  Vector coarse;
  for (int b = 0; b < coarse_.volume(); ++b)
    for (int chirality = 0; chirality < chiralities_; ++chirality)
      for (const Vector& v : v_) coarse.push_back(dot(v, fine, b, chirality));
  return coarse;
}

Aggregates::Vector Aggregates::restrict_hop(const Vector& fine, const std::array<int, 4>& hop,
                                            const std::array<int, 4>& across) const {
  Vector some = fine;
  for (std::size_t i = 0; i < some.size(); ++i) {
    const Coordinates x = fine_.coordinates(static_cast<int>(i) / components_ % fine_.volume());
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const int to = x[mu] % box_[mu] + hop[mu];
      if ((to < 0 || to >= box_[mu]) != (across[mu] != 0)) some[i] = 0;
    }
  }
  return restrict(some);
}

Aggregates::Vector Aggregates::prolong(const Vector& coarse) const {
  Vector fine(v_.front().size());
  std::size_t k = 0;
  for (int b = 0; b < coarse_.volume(); ++b)
    for (int chirality = 0; chirality < chiralities_; ++chirality)
      for (const Vector& v : v_) {
        for_rows(b, chirality, [&](std::size_t row) { fine[row] += v[row] * coarse[k]; });
        ++k;
      }
  return fine;
}

Aggregates::Vector Aggregates::gamma5(const Vector& vector, int components) const {
  Vector out = vector;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (static_cast<int>(i) % components >= components / 2) out[i] = -out[i];
  return out;
}

}  // namespace plaq::reference

#include "kernels/dirac/domain_wall/fifth_dimension.hpp"

#include <cmath>
#include <cstring>

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "kernels/dirac/domain_wall/domain_wall_launch.hpp"
#include "kernels/dirac/domain_wall/fifth_dimension_kernel.hpp"

namespace plaq {
namespace {

std::size_t wrapped(int s, int n) { return static_cast<std::size_t>(((s % n) + n) % n); }

// Reads and writes each vector once.
Work fifth_work(const Field& in, int vectors, bool adds) {
  const bool half = in.precision() == Precision::half_precision;
  const double places = static_cast<double>(in.geometry().local_volume()) / 2 * vectors;
  return {places * fifth_flops(adds),
          places * (adds ? 3 : 2) * (24 * bytes_of(in.precision()) + (half ? 4 : 0))};
}

}  // namespace

ShiftMatrix ShiftMatrix::unit(int n, int neighbor) {
  const auto size = static_cast<std::size_t>(n);
  return {std::vector<double>(size, 1), std::vector<double>(size, 0), neighbor};
}

ShiftMatrix ShiftMatrix::transposed() const {
  ShiftMatrix t{d, e, -neighbor};
  for (int s = 0; s < size(); ++s) t.e[static_cast<std::size_t>(s)] = e[wrapped(s - neighbor, size())];
  return t;
}

ShiftMatrix ShiftMatrix::rows_times(const std::vector<double>& f) const {
  ShiftMatrix m = *this;
  for (std::size_t s = 0; s < d.size(); ++s) {
    m.d[s] *= f[s];
    m.e[s] *= f[s];
  }
  return m;
}

double ShiftMatrix::loop() const {
  double product = 1;
  for (std::size_t s = 0; s < d.size(); ++s) product *= -e[s] / d[s];
  return product;
}

bool ShiftMatrix::singular() const {
  const double l = loop();
  return !std::isfinite(l) || std::abs(1 - l) < 1e-12;
}

FifthMatrices::FifthMatrices(const DomainWallParameters& p, int chirality) {
  const int neighbor = chirality == chiral_plus ? -1 : 1;
  x = y = ShiftMatrix::unit(p.Ls(), neighbor);
  const double k = p.diagonal(), mass = chirality == chiral_plus ? p.mass : p.minus_mass.value_or(p.mass);
  for (std::size_t s = 0; s < p.omega.size(); ++s) {
    const bool edge = s == (chirality == chiral_plus ? 0 : p.omega.size() - 1);
    const double shift = edge ? -mass : 1;  // of L
    y.d[s] = p.omega[s];
    y.e[s] = p.sigma[s] * shift;
    x.d[s] = k * p.omega[s] + 1;
    x.e[s] = (k * p.sigma[s] - 1) * shift;
    root.push_back(std::sqrt(p.omega[s]));
    inverse_root.push_back(1 / root.back());
  }
}

// x_s = (c_s - e_s x_(s+neighbor)) / d_s for one slice after the other, c = Q b, or where that loop grows,
// x_(s+neighbor) = (c_s - d_s x_s) / e_s the other way round. Each step sees the slice that it reads, the one
// that was read before it, its own x and the one before; it writes the slice that it reads.
FifthProgram FifthProgram::product(const ShiftMatrix* r, const ShiftMatrix& a, const ShiftMatrix* q) {
  const int n = a.size(), shift = a.neighbor;
  require((r == nullptr || (r->size() == n && r->neighbor == shift)) &&
              (q == nullptr || (q->size() == n && q->neighbor == shift)),
          "matrices of different shape in one product of the fifth dimension");
  require(!a.singular(), "a singular matrix in the fifth dimension");
  const ShiftMatrix one = ShiftMatrix::unit(n, shift);
  const ShiftMatrix &left = r != nullptr ? *r : one, &right = q != nullptr ? *q : one;
  const bool backwards = std::abs(a.loop()) > 1;
  require(!backwards || r == nullptr || q == nullptr,
          "a product of the fifth dimension that would have to run both ways");
  FifthProgram p;
  const int row = shift < 0 ? 0 : n - 1;
  p.direction = backwards ? shift : -shift;
  p.first = static_cast<int>(wrapped(backwards && q != nullptr ? row + shift : row, n));
  for (int i = 0; i < n; ++i) {
    const std::size_t s = wrapped(row + p.direction * i, n);
    const double d = a.d[s], e = a.e[s];
    if (!backwards) {
      p.steps.push_back({0, right.d[s] / d, right.e[s] / d, -e / d, left.d[s], left.e[s]});
    } else if (q != nullptr) {
      p.steps.push_back({0, right.e[s] / e, right.d[s] / e, -d / e, 1, 0});
    } else {
      p.steps.push_back({0, 1 / e, 0, -d / e, left.e[s], left.d[s]});
    }
  }
  // The last x, which the first step needs: once round the loop.
  double loop = 1;
  std::vector<double> after(static_cast<std::size_t>(n));  // what is left of an x at the end
  for (int i = n - 1; i >= 0; --i) {
    after[static_cast<std::size_t>(i)] = loop;
    loop *= p.steps[static_cast<std::size_t>(i)].before;
  }
  for (int i = 0; i < n; ++i) {
    const std::size_t here = static_cast<std::size_t>(i), next = wrapped(i + 1, n);
    p.steps[here].start =
        (after[here] * p.steps[here].in + after[next] * p.steps[next].in_before) / (1 - loop);
  }
  return p;
}

std::vector<double> FifthProgram::times(const std::vector<double>& in) const {
  const int n = static_cast<int>(steps.size());
  const auto slice = [&](int i) { return wrapped(first + direction * i, n); };
  double last = 0, before = in[slice(n - 1)];
  for (int i = 0; i < n; ++i) last += steps[static_cast<std::size_t>(i)].start * in[slice(i)];
  std::vector<double> out(in.size());
  for (int i = 0; i < n; ++i) {
    const Step& s = steps[static_cast<std::size_t>(i)];
    const double here = in[slice(i)], x = s.in * here + s.in_before * before + s.before * last;
    out[slice(i)] = s.out * x + s.out_before * last;
    before = here;
    last = x;
  }
  return out;
}

// With R = omega^-1/2 Y and A = omega^-1/2 X: R A^-1.
FifthProgram m5_program(const DomainWallParameters& parameters, int chirality, bool dagger) {
  const FifthMatrices of(parameters, chirality);
  const ShiftMatrix r = of.y.rows_times(of.inverse_root), a = of.x.rows_times(of.inverse_root);
  if (!dagger) return FifthProgram::product(&r, a, nullptr);
  const ShiftMatrix q = r.transposed();
  return FifthProgram::product(nullptr, a.transposed(), &q);
}

FifthTable::FifthTable(const std::array<FifthProgram, 2>& by_chirality, Precision precision,
                       Location location)
    : Ls_(static_cast<int>(by_chirality[0].steps.size())) {
  require(by_chirality[1].steps.size() == by_chirality[0].steps.size(),
          "chiralities with different numbers of slices");
  with_storage(precision, [&](auto storage) {
    using T = Compute<typename decltype(storage)::type>;
    std::vector<FifthStep<T>> steps;
    for (std::size_t c = 0; c < 2; ++c) {
      first_[c] = by_chirality[c].first;
      direction_[c] = by_chirality[c].direction;
      for (const auto& s : by_chirality[c].steps)
        steps.push_back({static_cast<T>(s.start),
                         static_cast<T>(s.in),
                         static_cast<T>(s.in_before),
                         static_cast<T>(s.before),
                         static_cast<T>(s.out),
                         static_cast<T>(s.out_before),
                         {}});
    }
    buffer_ = Buffer(location, steps.size() * sizeof(FifthStep<T>));
    copy_bytes(buffer_.data(), location, steps.data(), Location::host, buffer_.bytes());
  });
}

void apply_fifth(Field& out, const Field& in, const FifthTable& table, int parity, const ActiveSet& active,
                 const Queue& queue, double a, const Field* add, double b) {
  const int subfields = active.batch() * table.Ls();
  require(in.subfields() == subfields && out.subfields() == subfields &&
              (add == nullptr || add->subfields() == subfields),
          "fields of another number of slices or right-hand sides in the fifth dimension");
  require(in.geometry().local() == out.geometry().local() && in.geometry().halo_depth() == 0 &&
              out.geometry().halo_depth() == 0,
          "fields of different lattices in the fifth dimension");
  if (active.count() == 0) return;
  const int vectors = active.count() * table.Ls();
  record(queue, {"fifth_dimension", "fifth_dimension", in.precision(), 0, vectors, false,
                 fifth_work(in, vectors, add != nullptr)});
  const FifthCall call{&in, add, &out, &table, a, b, parity, active};
  dispatch_storage(in.location(), in.precision(), [&](auto kind) {
    using K = decltype(kind);
    FifthLaunch<typename K::target, typename K::scalar>::run(call, queue);
  });
}

// x_last: 2; x: 3; R x: 3; a add + b y: 3.
double fifth_flops(bool with_add) { return 24 * (with_add ? 11 : 8); }

}  // namespace plaq

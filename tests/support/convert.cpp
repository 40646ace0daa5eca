#include "tests/support/convert.hpp"

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace plaq::test {
namespace {

// One subfield and parity of a field on the host in double.
class Reals {
 public:
  Reals(const Field& field, int subfield, int parity)
      : data_(static_cast<double*>(field.data(subfield, parity))), layout_(field.layout()) {}
  double& operator()(int site, int real) const { return data_[layout_.offset(site, real)]; }

 private:
  double* data_;
  const Layout& layout_;
};

struct StoredSite {
  int index, global;
};
std::vector<StoredSite> stored_sites(const Geometry& geometry, int of_parity, bool with_halo = true) {
  const GeneralShape& shape = geometry.general_shape();
  std::vector<StoredSite> sites;
  for (int s = 0; s < shape.parity_sites(of_parity); ++s) {
    const Coordinates c = shape.coordinates(of_parity, s);
    bool owned = true;
    for (int mu = 0; mu < 4; ++mu)
      owned = owned && c.x[mu] >= shape.halo[mu] && c.x[mu] < shape.extent[mu] - shape.halo[mu];
    if (owned || with_halo) sites.push_back({s, static_cast<int>(shape.global_index(c))});
  }
  return sites;
}

// Calls visit(subfield, reals, sites) for what a field holds, which is on the host in double.
template <class Visit>
void for_subfields(const Field& field, Visit&& visit, bool with_halo = true) {
  for (int parity = 0; parity < field.geometry().parities(); ++parity) {
    if (!field.holds(parity)) continue;
    const auto sites = stored_sites(field.geometry(), parity, with_halo);
    for (int subfield = 0; subfield < field.subfields(); ++subfield)
      visit(subfield, Reals(field, subfield, parity), sites);
  }
}

// Returns the field itself if it is on the host in double; else `converted`.
const Field& readable(const Field& field, Field& converted) {
  if (field.location() == Location::host && field.precision() == Precision::double_precision) return field;
  converted = in_double(field);
  return converted;
}

// The larger one, or not a number.
void raise(double& most, double off) {
  if (!(off <= most) && most == most) most = off;
}

FieldSpec double_on_host(FieldSpec spec) {
  spec.precision = Precision::double_precision;
  spec.location = Location::host;
  return spec;
}

Field stored_as(const FieldSpec& spec, Field field) {
  if (spec == field.spec()) return field;
  Field stored(field.geometry_ptr(), spec);
  copy(stored, field);
  return stored;
}

}  // namespace

Field on_host(const Field& field) {
  FieldSpec spec = field.spec();
  spec.location = Location::host;
  Field host(field.geometry_ptr(), spec);
  copy(host, field);
  return host;
}

Field in_double(const Field& field) {
  Field wide(field.geometry_ptr(), double_on_host(field.spec()));
  copy(wide, field);
  return wide;
}

Field to_plaq(const Columns& columns, const GeometryPtr& geometry, FieldSpec spec) {
  spec.subfields = columns.size();
  Field field(geometry, double_on_host(spec));
  const int components = spec.spins * spec.colors;
  for_subfields(field, [&](int subfield, const Reals& reals, const auto& sites) {
    for (const auto& [s, site] : sites)
      for (int k = 0; k < components; ++k) {
        const Complex64 z = columns[subfield][static_cast<std::ptrdiff_t>(site) * components + k];
        reals(s, 2 * k) = z.real();
        reals(s, 2 * k + 1) = z.imag();
      }
  });
  return stored_as(spec, std::move(field));
}

Field to_plaq(const reference::GaugeField& gauge, const GeometryPtr& geometry, Precision precision,
              Location location) {
  Field field(geometry, gauge_spec(Precision::double_precision, Location::host));
  for_subfields(field, [&](int mu, const Reals& reals, const auto& sites) {
    for (const auto& [s, site] : sites) {
      const auto& u = gauge.link[static_cast<std::size_t>(site)][static_cast<std::size_t>(mu)];
      for (int k = 0; k < 9; ++k) {
        reals(s, 2 * k) = u(k / 3, k % 3).real();
        reals(s, 2 * k + 1) = u(k / 3, k % 3).imag();
      }
    }
  });
  return stored_as(gauge_spec(precision, location), std::move(field));
}

Vectors to_vectors(const Field& field) {
  Field converted;
  const Field& wide = readable(field, converted);
  const int components = field.spec().spins * field.spec().colors, Ls = field.Ls();
  const auto size = static_cast<std::size_t>(field.geometry().global_volume() * components);
  Vectors batch(static_cast<std::size_t>(field.batch()), Vector(size * static_cast<std::size_t>(Ls)));
  for_subfields(wide, [&](int subfield, const Reals& reals, const auto& sites) {
    Complex64* column = batch[static_cast<std::size_t>(subfield / Ls)].data() +
                        size * static_cast<std::size_t>(subfield % Ls);
    for (const auto& [s, site] : sites)
      for (int k = 0; k < components; ++k)
        column[static_cast<std::ptrdiff_t>(site) * components + k] = {reals(s, 2 * k), reals(s, 2 * k + 1)};
  });
  return batch;
}

double Deviation::mean() const { return std::sqrt(squares_ / static_cast<double>(count_)) / largest_; }
void Deviation::add(double found, double expected) {
  const double off = std::abs(found - expected);
  raise(most_, off);
  largest_ = std::max(largest_, std::abs(expected));
  squares_ += off * off;
  ++count_;
}
void Deviation::add(const Deviation& other) {
  raise(most_, other.most_);
  largest_ = std::max(largest_, other.largest_);
  squares_ += other.squares_;
  count_ += other.count_;
}

Deviation deviation(const Field& field, const Columns& expected) {
  require(expected.size() == field.subfields(), "as many columns as subfields");
  Field converted;
  Deviation off;
  const int components = field.spec().spins * field.spec().colors;
  for_subfields(readable(field, converted), [&](int subfield, const Reals& reals, const auto& sites) {
    for (const auto& [s, site] : sites)
      for (int k = 0; k < components; ++k) {
        const Complex64 z = expected[subfield][static_cast<std::ptrdiff_t>(site) * components + k];
        off.add(reals(s, 2 * k), z.real());
        off.add(reals(s, 2 * k + 1), z.imag());
      }
  });
  return off;
}

double max_difference(const Field& field, const Columns& expected) {
  require(expected.size() == field.subfields(), "as many columns as subfields");
  Field converted;
  double most = 0;
  const int components = field.spec().spins * field.spec().colors;
  for_subfields(readable(field, converted), [&](int subfield, const Reals& reals, const auto& sites) {
    for (const auto& [s, site] : sites)
      for (int k = 0; k < components; ++k) {
        const Complex64 z(reals(s, 2 * k), reals(s, 2 * k + 1));
        raise(most, std::abs(z - expected[subfield][static_cast<std::ptrdiff_t>(site) * components + k]));
      }
  });
  return most;
}

std::vector<std::uint64_t> fingerprints(const Field& field, const ProcessGrid& grid) {
  Field converted;
  const int Ls = field.Ls();
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(field.batch()));
  for_subfields(
      readable(field, converted),
      [&](int subfield, const Reals& reals, const auto& sites) {
        const auto slice = static_cast<std::uint64_t>(subfield % Ls);
        auto& sum = sums[static_cast<std::size_t>(subfield / Ls)];
        for (const auto& [s, site] : sites)
          for (int r = 0; r < field.reals_per_site(); ++r) {
            auto h = std::bit_cast<std::uint64_t>(reals(s, r));
            h ^= (static_cast<std::uint64_t>(site) * 512 + static_cast<std::uint64_t>(r)) *
                     0x9e3779b97f4a7c15u +
                 slice * 0xc2b2ae3d27d4eb4fu;
            h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
            h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
            sum += h ^ (h >> 31);
          }
      },
      false);
  grid.comm().sum(std::span(sums));
  return sums;
}

std::uint64_t fingerprint(const Field& field, const ProcessGrid& grid) {
  std::uint64_t all = 0;
  for (const std::uint64_t one : fingerprints(field, grid)) all = all * 0x9e3779b97f4a7c15u + one;
  return all;
}

}  // namespace plaq::test

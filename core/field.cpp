#include "core/field.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <string>

#include "core/error.hpp"

namespace plaq {
namespace {

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

// Whether a site has the same index in both; local extents are equal.
bool same_sites(const LatticeShape& a, const LatticeShape& b) {
  return std::equal(std::begin(a.halo), std::end(a.halo), std::begin(b.halo));
}

Layout layout_of(const Geometry& geometry, const FieldSpec& spec) {
  return {spec.location, 2 * spec.rows * spec.columns, geometry.shape().half_volume,
          bytes_of(spec.precision)};
}

// Whether a copy is one of bytes: both are laid out alike.
bool copies_bytes(const Geometry& to, const FieldSpec& to_spec, const Geometry& from,
                  const FieldSpec& from_spec) {
  return to_spec.location == from_spec.location && to_spec.precision == from_spec.precision &&
         same_sites(to.shape(), from.shape());
}

// Checkerboard index in `to` of every owned site in `from`, or -1.
int translated(const LatticeShape& to, const LatticeShape& from, int parity, int site) {
  Coordinates c = from.coordinates(parity, site);
  for (int mu = 0; mu < 4; ++mu) {
    const int owned = c.x[mu] - from.halo[mu];
    if (owned < 0 || owned >= from.extent[mu] - 2 * from.halo[mu]) return -1;
    c.x[mu] = owned + to.halo[mu];
  }
  return to.index(c);
}

template <class To, class From>
void copy_reals(Field& to, const Field& from) {
  const Layout &lt = to.layout(), &lf = from.layout();
  const bool same_geometry = same_sites(to.geometry().shape(), from.geometry().shape());
  for (int slot = 0; slot < from.slots(); ++slot) {
    for (int parity = 0; parity < 2; ++parity) {
      if (!from.holds(parity)) continue;
      const auto* source = static_cast<const From*>(from.data(slot, parity));
      auto* target = static_cast<To*>(to.data(slot, parity));
#pragma omp parallel for schedule(static)
      for (int s = 0; s < lf.sites; ++s) {
        const int d =
            same_geometry ? s : translated(to.geometry().shape(), from.geometry().shape(), parity, s);
        if (d < 0) continue;
        for (int r = 0; r < lf.reals; ++r) target[lt.offset(d, r)] = static_cast<To>(source[lf.offset(s, r)]);
      }
    }
  }
}

void copy_on_host(Field& to, const Field& from) {
  const bool to_single = to.precision() == Precision::single_precision;
  const bool from_single = from.precision() == Precision::single_precision;
  if (to_single && from_single) copy_reals<float, float>(to, from);
  if (to_single && !from_single) copy_reals<float, double>(to, from);
  if (!to_single && from_single) copy_reals<double, float>(to, from);
  if (!to_single && !from_single) copy_reals<double, double>(to, from);
}

}  // namespace

std::size_t field_bytes(const Geometry& geometry, const FieldSpec& spec) {
  const std::size_t parities = spec.subset == Subset::full ? 2 : 1;
  return static_cast<std::size_t>(spec.slots) * parities * layout_of(geometry, spec).size() *
         static_cast<std::size_t>(bytes_of(spec.precision));
}

std::size_t copy_staging_bytes(const Geometry& to, const FieldSpec& to_spec, const Geometry& from,
                               const FieldSpec& from_spec) {
  const bool to_device = to_spec.location == Location::device;
  const bool from_device = from_spec.location == Location::device;
  if (copies_bytes(to, to_spec, from, from_spec)) return 0;
  return (to_device ? field_bytes(to, to_spec) : 0) + (from_device ? field_bytes(from, from_spec) : 0);
}

Field::Field(GeometryPtr geometry, const FieldSpec& spec) : geometry_(std::move(geometry)), spec_(spec) {
  layout_ = layout_of(*geometry_, spec);
  buffer_ = Buffer(spec.location, field_bytes(*geometry_, spec));
  buffer_.fill_zero();
  version_ = next_version();
}

void Field::touch() { version_ = next_version(); }

void* Field::data(int slot, int parity) const {
  require(slot >= 0 && slot < slots() && holds(parity), "field has no such slot or parity");
  const std::size_t p = spec_.subset == Subset::full ? static_cast<std::size_t>(parity) : 0;
  const std::size_t reals =
      (static_cast<std::size_t>(slot) * static_cast<std::size_t>(parities()) + p) * layout_.size();
  return buffer_.as<char>() + reals * static_cast<std::size_t>(bytes_of(spec_.precision));
}

void expect(const Field& field, Location location, Precision precision, int rows, int columns) {
  const auto& s = field.spec();
  if (s.location == location && s.precision == precision && s.rows == rows && s.columns == columns) return;
  throw Error(ErrorKind::internal,
              "internal error: a " + std::string(name_of(precision)) + " " + std::to_string(rows) + "x" +
                  std::to_string(columns) + " view on the " + std::string(name_of(location)) +
                  " was opened on a " + std::string(name_of(s.precision)) + " " + std::to_string(s.rows) +
                  "x" + std::to_string(s.columns) + " field on the " + std::string(name_of(s.location)));
}

// The same bytes in host memory, still in this field's own layout, so that reordering is one loop for all
// cases.
Field Field::staged_on_host() const {
  Field staged;
  staged.geometry_ = geometry_;
  staged.spec_ = spec_;
  staged.layout_ = layout_;
  staged.buffer_ = Buffer(Location::host, bytes());
  copy_bytes(staged.buffer_.data(), Location::host, buffer_.data(), location(), bytes());
  return staged;
}

void Field::load_staged(const Field& staged) {
  copy_bytes(buffer_.data(), location(), staged.buffer_.data(), Location::host, bytes());
}

void copy(Field& to, const Field& from) {
  require(to.spec().subset == from.spec().subset && to.spec().rows == from.spec().rows &&
              to.spec().columns == from.spec().columns && to.slots() == from.slots() &&
              to.geometry().local() == from.geometry().local(),
          "copy between fields of different shape");
  if (copies_bytes(to.geometry(), to.spec(), from.geometry(), from.spec())) {
    copy_bytes(to.data(0, to.holds(0) ? 0 : 1), to.location(), from.data(0, from.holds(0) ? 0 : 1),
               from.location(), from.bytes());
  } else if (to.location() == Location::host && from.location() == Location::host) {
    copy_on_host(to, from);
  } else if (from.location() == Location::device) {
    const Field staged = from.staged_on_host();
    if (to.location() == Location::host) {
      copy_on_host(to, staged);
    } else {
      Field target = to.staged_on_host();
      copy_on_host(target, staged);
      to.load_staged(target);
    }
  } else {
    Field target = to.staged_on_host();
    copy_on_host(target, from);
    to.load_staged(target);
  }
  to.touch();
}

void copy_parity(Field& to, const Field& from, int parity, const Queue& queue) {
  require(to.location() == from.location() && to.precision() == from.precision() &&
              to.slots() == from.slots() && to.layout().size() == from.layout().size(),
          "copy_parity between fields of different shape");
  const std::size_t bytes = to.layout().size() * static_cast<std::size_t>(bytes_of(to.precision()));
  for (int slot = 0; slot < to.slots(); ++slot)
    queue.copy_async(to.data(slot, parity), from.data(slot, parity), bytes);
  to.touch();
}

void copy_slot(Field& to, int to_slot, const Field& from, int from_slot) {
  FieldSpec alike = to.spec();
  alike.slots = from.slots();
  require(alike == from.spec() && to.layout().size() == from.layout().size(),
          "copy_slot between fields of different shape");
  const int parity = to.holds(0) ? 0 : 1;
  copy_bytes(to.data(to_slot, parity), to.location(), from.data(from_slot, parity), from.location(),
             to.slot_stride() * static_cast<std::size_t>(bytes_of(to.precision())));
  to.touch();
}

double get_real(const Field& f, int slot, int parity, int site, int real) {
  require(f.location() == Location::host, "get_real needs a field on the host");
  const std::size_t at = f.layout().offset(site, real);
  return f.precision() == Precision::single_precision
             ? static_cast<double>(static_cast<const float*>(f.data(slot, parity))[at])
             : static_cast<const double*>(f.data(slot, parity))[at];
}

void set_real(Field& f, int slot, int parity, int site, int real, double value) {
  require(f.location() == Location::host, "set_real needs a field on the host");
  const std::size_t at = f.layout().offset(site, real);
  if (f.precision() == Precision::single_precision) {
    static_cast<float*>(f.data(slot, parity))[at] = static_cast<float>(value);
  } else {
    static_cast<double*>(f.data(slot, parity))[at] = value;
  }
}

}  // namespace plaq

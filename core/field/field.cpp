#include "core/field/field.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "core/field/field_launch.hpp"
#include "core/field/fixed8.hpp"
#include "core/field/stored_sites.hpp"
#include "core/field/version_of.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/memory.hpp"

namespace plaq {
namespace {

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

// True if a site has the same index in both; local extents are equal.
bool same_sites(const GeneralShape& a, const GeneralShape& b) {
  return std::equal(std::begin(a.halo), std::end(a.halo), std::begin(b.halo));
}

Layout layout_of(const Geometry& geometry, const FieldSpec& spec) {
  const int sites = geometry.general_shape().stored_sites();
  if (spec.order == Order::right_hand_sides_fastest) {
    require(spec.reals() % 2 == 0, "right-hand sides are fastest of complex numbers alone");
    return Layout::right_hand_sides_fastest(spec.location, spec.reals(), sites, spec.subfields,
                                            bytes_of(spec.precision), spec.with_scale());
  }
  return {spec.location, spec.reals(), sites, bytes_of(spec.precision), spec.with_scale()};
}

// True if a copy is one of bytes: both are laid out alike.
bool copies_bytes(const Geometry& to, const FieldSpec& to_spec, const Geometry& from,
                  const FieldSpec& from_spec) {
  const bool one_layout = to_spec.order == from_spec.order &&
                          (to_spec.location == from_spec.location || to_spec.order != Order::sites_fastest);
  return one_layout && to_spec.precision == from_spec.precision &&
         to_spec.with_scale() == from_spec.with_scale() &&
         same_sites(to.general_shape(), from.general_shape());
}

// True if a device can do it by itself (core/field/field_launch.hpp).
bool converts_on_device(const Geometry& to, const FieldSpec& to_spec, const Geometry& from,
                        const FieldSpec& from_spec) {
  const auto plain = [](const FieldSpec& spec) { return bytes_of(spec.precision) >= 4 || spec.with_scale(); };
  const bool both_fixed = bytes_of(to_spec.precision) <= 2 && bytes_of(from_spec.precision) <= 2;
  return to_spec.location == Location::device && from_spec.location == Location::device && plain(to_spec) &&
         plain(from_spec) && !both_fixed && same_sites(to.general_shape(), from.general_shape());
}

void convert_on_device(Field& to, const Field& from) {
  wait_for_device();
  const Queue queue(Location::device);
  with_matrix_storage(to.precision(), [&]<class To>(Storage<To>) {
    with_matrix_storage(from.precision(), [&]<class From>(Storage<From>) {
      if constexpr (with_cuda && !(sizeof(To) <= 2 && sizeof(From) <= 2))
        launch_convert_sites<Device, To, From>(to, from, queue);
    });
  });
  queue.synchronize();
}

// True if a device moves the owned sites, bit for bit, between geometries with different halos.
bool moves_on_device(const Geometry& to, const FieldSpec& to_spec, const Geometry& from,
                     const FieldSpec& from_spec) {
  return to_spec.location == Location::device && from_spec.location == Location::device &&
         to_spec.precision == from_spec.precision && to_spec.with_scale() == from_spec.with_scale() &&
         to_spec.precision != Precision::quarter_precision && to_spec.order == Order::sites_fastest &&
         from_spec.order == Order::sites_fastest && from_spec.subfields <= ActiveSet::capacity &&
         to.local() == from.local() && to.halo_depth() != from.halo_depth();
}

SiteBox owned_sites(const Geometry& geometry) {
  const GeneralShape& stored = geometry.general_shape();
  const auto plain = Geometry::create_general(geometry.decomposition(), geometry.order());
  Coordinates corner{};
  for (int mu = 0; mu < 4; ++mu) corner.x[mu] = stored.halo[mu];
  return SiteBox(plain->general_shape(), stored, corner);
}

void move_on_device(Field& to, const Field& from) {
  wait_for_device();
  const Queue queue(Location::device);
  const ActiveSet all(from.subfields());
  const SiteBox box = owned_sites(from.geometry());
  const Buffer packed(Location::device,
                      static_cast<std::size_t>(from.subfields()) * packed_bytes(from.spec(), box));
  pack_sites(from, box, all, packed.data(), queue);
  unpack_sites(to, owned_sites(to.geometry()), all, packed.data(), queue);
  queue.synchronize();
}

// Checkerboard index in `to` of every owned site in `from`, or -1.
int translated(const GeneralShape& to, const GeneralShape& from, int parity, int site) {
  Coordinates c = from.coordinates(parity, site);
  for (int mu = 0; mu < 4; ++mu) {
    const int owned = c.x[mu] - from.halo[mu];
    if (owned < 0 || owned >= from.extent[mu] - 2 * from.halo[mu]) return -1;
    c.x[mu] = owned + to.halo[mu];
  }
  return to.index(c);
}

// Factor of the stored numbers of a site.
template <class S>
double factor_of(const S* data, const Layout& layout, int subfield, int site) {
  if (layout.scale_units == 0) return 1 / static_cast<double>(fixed_steps<S>);
  float site_scale;
  std::memcpy(&site_scale, data + layout.scale_offset(site, subfield), sizeof(site_scale));
  return static_cast<double>(site_scale);
}

template <class S>
void read_site(const S* data, const Layout& layout, int subfield, int site, std::vector<double>& values) {
  const double factor = factor_of(data, layout, subfield, site);
  for (int r = 0; r < layout.reals; ++r)
    values[static_cast<std::size_t>(r)] = factor * from_storage<double>(data[layout.offset(site, r)]);
}

// Converts like kernels (core/field/site_array_host.hpp), so that copies have their bits.
template <class S>
void write_site(S* data, const Layout& layout, int subfield, int site, const std::vector<double>& values) {
  using T = Compute<S>;
  T steps = T(fixed_steps<S>);
  if (layout.scale_units != 0) {
    T most = 0;
    for (const double v : values) most = larger_magnitude(static_cast<T>(v), most);
    steps = steps_of<S>(most);
    const auto site_scale = static_cast<float>(most * (T(1) / T(fixed_steps<S>)));
    std::memcpy(data + layout.scale_offset(site, subfield), &site_scale, sizeof(site_scale));
  }
  for (int r = 0; r < layout.reals; ++r) {
    const T value = static_cast<T>(values[static_cast<std::size_t>(r)]);
    data[layout.offset(site, r)] = to_storage<S>(value, steps);
  }
}

// Integers and scale as they are: reading and writing numbers would round the scale again.
template <class S>
void move_site(S* to, const Layout& to_layout, int to_site, const S* from, const Layout& layout, int subfield,
               int site) {
  for (int r = 0; r < layout.reals; ++r) to[to_layout.offset(to_site, r)] = from[layout.offset(site, r)];
  if (layout.scale_units != 0)
    std::memcpy(to + to_layout.scale_offset(to_site, subfield), from + layout.scale_offset(site, subfield),
                sizeof(float));
}

template <class To, class From>
void copy_reals(Field& to, const Field& from) {
  const Layout &lt = to.layout(), &lf = from.layout();
  const bool same_geometry = same_sites(to.geometry().general_shape(), from.geometry().general_shape());
  for (int subfield = 0; subfield < from.subfields(); ++subfield) {
    for (int parity = 0; parity < 2; ++parity) {
      if (!from.holds(parity)) continue;
      const auto* source = static_cast<const From*>(from.data(subfield, parity));
      auto* target = static_cast<To*>(to.data(subfield, parity));
#pragma omp parallel
      {
        std::vector<double> values(static_cast<std::size_t>(lf.reals));
#pragma omp for schedule(static)
        for (int s = 0; s < lf.sites; ++s) {
          const int d = same_geometry ? s
                                      : translated(to.geometry().general_shape(),
                                                   from.geometry().general_shape(), parity, s);
          if (d < 0) continue;
          if constexpr (sizeof(To) <= 2 && std::is_same_v<To, From>) {
            if (lt.scale_units == lf.scale_units) {
              move_site(target, lt, d, source, lf, subfield, s);
              continue;
            }
          }
          read_site(source, lf, subfield, s, values);
          write_site(target, lt, subfield, d, values);
        }
      }
    }
  }
}

void copy_on_host(Field& to, const Field& from) {
  if (runs_dry()) return;
  with_matrix_storage(to.precision(), [&](auto t) {
    with_matrix_storage(from.precision(), [&](auto f) {
      copy_reals<typename decltype(t)::type, typename decltype(f)::type>(to, from);
    });
  });
}

// Kernels on a device count the chunks and scales of a subfield in 32 bits
// (core/field/site_array_device.hpp).
void check_addresses(const Geometry& geometry, const FieldSpec& spec, const Layout& layout) {
  if (spec.location != Location::device) return;
  const auto bytes = static_cast<std::size_t>(bytes_of(spec.precision));
  if (spec.order != Order::sites_fastest) return;
  const std::size_t unit =
      layout.scale_units != 0 ? sizeof(float) : static_cast<std::size_t>(layout.chunk) * bytes;
  if (layout.size() / unit * bytes <= std::size_t{1} << 32) return;
  throw Error(ErrorKind::job_file, "a lattice of " + to_string(geometry.local()) + " on one GPU: fields of " +
                                       std::to_string(layout.reals) + " reals a site in " +
                                       std::string(name_of(spec.precision)) +
                                       " precision would be too large for its kernels; use more ranks");
}

// For users: "12 spinors, even sites, half".
std::string text_of(const FieldSpec& spec) {
  const bool links = spec.bounded && spec.spins == 3 && spec.colors == 3;
  std::string text =
      links ? "links" : std::to_string(spec.subfields) + " x " + std::to_string(spec.reals()) + " reals";
  if (!links && spec.spins == 4 && spec.colors == 3)
    text = std::to_string(spec.batch()) + " spinor" + (spec.batch() == 1 ? "" : "s");
  if (!links && spec.spins == 1 && spec.colors == 3)
    text = std::to_string(spec.batch()) + " color vector" + (spec.batch() == 1 ? "" : "s");
  if (spec.Ls > 1) text += " of " + std::to_string(spec.Ls) + " slices";
  if (spec.subset != Subset::full) text += spec.subset == Subset::even ? ", even sites" : ", odd sites";
  text += ", " + std::string(name_of(spec.precision));
  return links && spec.reals() != 18 ? text + " " + std::to_string(spec.reals()) : text;
}

}  // namespace

std::size_t field_bytes(const Geometry& geometry, const FieldSpec& spec) {
  const std::size_t parities =
      spec.subset == Subset::full ? static_cast<std::size_t>(geometry.parities()) : 1;
  const std::size_t parts = spec.order == Order::sites_fastest ? static_cast<std::size_t>(spec.subfields) : 1;
  return parts * parities * layout_of(geometry, spec).size() *
         static_cast<std::size_t>(bytes_of(spec.precision));
}

std::size_t copy_staging_bytes(const Geometry& to, const FieldSpec& to_spec, const Geometry& from,
                               const FieldSpec& from_spec) {
  const bool to_device = to_spec.location == Location::device;
  const bool from_device = from_spec.location == Location::device;
  if (copies_bytes(to, to_spec, from, from_spec) || converts_on_device(to, to_spec, from, from_spec) ||
      moves_on_device(to, to_spec, from, from_spec))
    return 0;
  return (to_device ? field_bytes(to, to_spec) : 0) + (from_device ? field_bytes(from, from_spec) : 0);
}

Field::Field(GeometryPtr geometry, const FieldSpec& spec) : geometry_(std::move(geometry)), spec_(spec) {
  require(spec.subset == Subset::full || geometry_->order() == LatticeOrder::checkerboard,
          "even or odd sites of a lattice without a checkerboard");
  layout_ = layout_of(*geometry_, spec);
  check_addresses(*geometry_, spec, layout_);
  const MemoryName name(runs_dry() ? memory_name(text_of(spec)) : "");
  buffer_ = Buffer(spec.location, field_bytes(*geometry_, spec));
  buffer_.fill_zero();
  touch();
}

void Field::touch() {
  version_ = next_version();
  tell_of_change(buffer_.data(), version_);
}

void* Field::data(int subfield, int parity) const {
  require(subfield >= 0 && subfield < subfields() && holds(parity), "field has no such subfield or parity");
  const std::size_t p = spec_.subset == Subset::full ? static_cast<std::size_t>(parity) : 0;
  const std::size_t units = static_cast<std::size_t>(subfield) * subfield_stride() + p * layout_.size();
  return buffer_.as<char>() + units * static_cast<std::size_t>(bytes_of(spec_.precision));
}

void expect(const Field& field, Location location, Precision precision, int spins, int colors, int reals) {
  const auto& s = field.spec();
  if (reals == 0) reals = 2 * spins * colors;
  const bool there = s.location == location || (!with_cuda && runs_dry());  // a host plans for GPUs
  if (there && s.precision == precision && s.spins == spins && s.colors == colors && s.reals() == reals &&
      s.order == Order::sites_fastest)
    return;
  const auto words = [](Precision p, int r, int c, int n, Location l) {
    return std::string(name_of(p)) + " " + std::to_string(r) + "x" + std::to_string(c) + " (" +
           std::to_string(n) + " reals), " + std::string(name_of(l));
  };
  throw Error(ErrorKind::internal, "internal error: a view for " +
                                       words(precision, spins, colors, reals, location) +
                                       " was opened on a field of " +
                                       words(s.precision, s.spins, s.colors, s.reals(), s.location) +
                                       (s.order == Order::sites_fastest ? "" : ", right-hand sides fastest"));
}

// Copy of the bytes in host memory, still in this field's own layout, so that reordering is one loop for all
// cases.
Field Field::staged_on_host() const {
  Field staged;
  staged.geometry_ = geometry_;
  staged.spec_ = spec_;
  staged.layout_ = layout_;
  const MemoryName name("a copy on the host");
  staged.buffer_ = Buffer(Location::host, bytes());
  copy_bytes(staged.buffer_.data(), Location::host, buffer_.data(), location(), bytes());
  return staged;
}

void Field::load_staged(const Field& staged) {
  copy_bytes(buffer_.data(), location(), staged.buffer_.data(), Location::host, bytes());
}

void copy(Field& to, const Field& from) {
  require(to.spec().subset == from.spec().subset && to.spec().spins == from.spec().spins &&
              to.spec().colors == from.spec().colors && to.spec().reals() == from.spec().reals() &&
              to.subfields() == from.subfields() && to.geometry().local() == from.geometry().local() &&
              to.geometry().order() == from.geometry().order(),
          "copy between fields of different shape");
  if (copies_bytes(to.geometry(), to.spec(), from.geometry(), from.spec())) {
    copy_bytes(to.data(0, to.holds(0) ? 0 : 1), to.location(), from.data(0, from.holds(0) ? 0 : 1),
               from.location(), from.bytes());
  } else if (converts_on_device(to.geometry(), to.spec(), from.geometry(), from.spec())) {
    convert_on_device(to, from);
  } else if (moves_on_device(to.geometry(), to.spec(), from.geometry(), from.spec())) {
    move_on_device(to, from);
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
              to.subfields() == from.subfields() && to.layout().size() == from.layout().size() &&
              to.spec().order == from.spec().order,
          "copy_parity between fields of different shape");
  const std::size_t bytes = to.layout().size() * static_cast<std::size_t>(bytes_of(to.precision()));
  const int parts = to.spec().order == Order::sites_fastest ? to.subfields() : 1;
  for (int subfield = 0; subfield < parts; ++subfield)
    queue.copy_async(to.data(subfield, parity), from.data(subfield, parity), bytes);
  to.touch();
}

void copy_subfield(Field& to, int to_subfield, const Field& from, int from_subfield) {
  FieldSpec alike = to.spec();
  alike.subfields = from.subfields();
  alike.Ls = from.Ls();  // slices count as subfields
  require(alike == from.spec() && alike.order == Order::sites_fastest &&
              to.layout().size() == from.layout().size(),
          "copy_subfield between fields of different shape");
  const int parity = to.holds(0) ? 0 : 1;
  copy_bytes(to.data(to_subfield, parity), to.location(), from.data(from_subfield, parity), from.location(),
             to.subfield_stride() * static_cast<std::size_t>(bytes_of(to.precision())));
  to.touch();
}

void copy_right_hand_side(Field& to, int to_rhs, const Field& from, int from_rhs) {
  require(to.Ls() == from.Ls(), "copy_right_hand_side between fields of different slices");
  for (int s = 0; s < to.Ls(); ++s) copy_subfield(to, to_rhs * to.Ls() + s, from, from_rhs * to.Ls() + s);
}

double get_real(const Field& f, int subfield, int parity, int site, int real) {
  require(f.location() == Location::host, "get_real needs a field on the host");
  return with_matrix_storage(f.precision(), [&](auto s) {
    using S = typename decltype(s)::type;
    const auto* data = static_cast<const S*>(f.data(subfield, parity));
    return factor_of(data, f.layout(), subfield, site) *
           from_storage<double>(data[f.layout().offset(site, real)]);
  });
}

void set_real(Field& f, int subfield, int parity, int site, int real, double value) {
  require(f.location() == Location::host && bytes_of(f.precision()) >= 4,
          "set_real needs a field on the host in single or double precision");
  const std::size_t at = f.layout().offset(site, real);
  if (f.precision() == Precision::single_precision) {
    static_cast<float*>(f.data(subfield, parity))[at] = static_cast<float>(value);
  } else {
    static_cast<double*>(f.data(subfield, parity))[at] = value;
  }
}

}  // namespace plaq

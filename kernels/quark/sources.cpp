#include "kernels/quark/sources.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/launch/dispatch.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/memory.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/quark/noise_launch.hpp"
#include "kernels/quark/plane_wave.hpp"

namespace plaq {
namespace {

void expect_source(const Field& b) {
  require(b.spec().subset == Subset::full && b.geometry().halo_depth() == 0,
          "a source is a field on both parities without halo");
}

// Calls set(host field, parity, index, coordinates in the whole lattice, their lexicographic number) for each
// site; what is not set is 0.
template <class Set>
void fill_sites(Field& b, const Set& set) {
  expect_source(b);
  require(b.spec().colors == 3, "a source of quarks that is a field without colors");
  FieldSpec spec = b.spec();
  spec.location = Location::host;
  const MemoryName name("source as made");
  Field host(b.geometry_ptr(), spec);
  const GeneralShape& shape = b.geometry().general_shape();
  on_numbers([&] {
    for (int parity = 0; parity < shape.parities(); ++parity) {
#pragma omp parallel for schedule(static)
      for (int site = 0; site < shape.parity_sites(parity); ++site) {
        const Coordinates c = shape.coordinates(parity, site);
        Extents x;
        for (int mu = 0; mu < 4; ++mu) x[static_cast<std::size_t>(mu)] = shape.global_coordinate(c, mu);
        set(host, parity, site, x, static_cast<std::uint64_t>(shape.global_index(c)));
      }
    }
    copy(b, host);
  });
}

void set_component(Field& host, int subfield, int parity, int site, int component, const Complex<double>& z) {
  set_real(host, subfield, parity, site, 2 * component, z.re);
  set_real(host, subfield, parity, site, 2 * component + 1, z.im);
}

void expect_columns(const Field& b, int first_column) {
  const int columns = b.reals_per_site() / 2;
  if (first_column < 0 || first_column + b.subfields() > columns)
    throw Error(ErrorKind::internal, "internal error: columns " + std::to_string(first_column) + " to " +
                                         std::to_string(first_column + b.subfields() - 1) +
                                         " of a source, but there are " + std::to_string(columns) +
                                         ", from 0 on");
}

// b(x) = value(coordinates, number) in each subfield's own component.
template <class Value>
void fill(Field& b, int first_column, const Value& value) {
  expect_columns(b, first_column);
  fill_sites(b, [&](Field& host, int parity, int site, const Extents& x, std::uint64_t number) {
    const Complex<double> z = value(x, number);
    for (int subfield = 0; subfield < b.subfields(); ++subfield)
      set_component(host, subfield, parity, site, first_column + subfield, z);
  });
}

void expect_slice(int t, const Geometry& geometry) {
  if (t < 0 || t >= geometry.global()[3])
    throw Error(ErrorKind::internal, "internal error: source on time slice " + std::to_string(t) +
                                         " of the lattice " + to_string(geometry.global()));
}

void expect_grid(const Extents& position, const GridSpacing& spacing, const Geometry& geometry) {
  expect_inside(position, geometry);
  for (std::size_t i = 0; i < 3; ++i)
    require(spacing[i] >= 1 && geometry.global()[i] % spacing[i] == 0,
            "a grid source whose spacing does not divide the lattice");
}

bool is_on_grid(const Extents& x, const Extents& position, const GridSpacing& spacing) {
  bool on = x[3] == position[3];
  for (std::size_t i = 0; i < 3; ++i) on = on && (x[i] - position[i]) % spacing[i] == 0;
  return on;
}

Complex<double> wave(const std::array<int, 4>& n, const Extents& x, const Extents& extents) {
  Complex<double> z = plane_wave(n[0], x[0], extents[0]);
  for (std::size_t mu = 1; mu < 4; ++mu) z = z * plane_wave(n[mu], x[mu], extents[mu]);
  return z;
}

}  // namespace

void point_source(Field& b, const Extents& position, int first_column) {
  expect_inside(position, b.geometry());
  fill(b, first_column, [&](const Extents& x, std::uint64_t) {
    return Complex<double>{x == position ? 1.0 : 0.0, 0.0};
  });
}

void wall_source(Field& b, int t, const Momentum& n, int first_column) {
  expect_slice(t, b.geometry());
  fill(b, first_column, [&](const Extents& x, std::uint64_t) {
    return x[3] == t ? wave({n[0], n[1], n[2], 0}, x, b.geometry().global()) : Complex<double>{0.0, 0.0};
  });
}

void corner_wall_source(Field& b, const Extents& corner, int first_column) {
  expect_inside(corner, b.geometry());
  fill(b, first_column, [&](const Extents& x, std::uint64_t) {
    bool on = x[3] == corner[3];
    for (std::size_t k = 0; k < 3; ++k) on = on && (x[k] - corner[k]) % 2 == 0;
    return Complex<double>{on ? 1.0 : 0.0, 0.0};
  });
}

void even_wall_source(Field& b, const Extents& position, double odd, int first_column) {
  expect_inside(position, b.geometry());
  fill(b, first_column, [&](const Extents& x, std::uint64_t) {
    if (x[3] != position[3]) return Complex<double>{0.0, 0.0};
    const int distance = x[0] - position[0] + x[1] - position[1] + x[2] - position[2];
    return Complex<double>{distance % 2 == 0 ? 1.0 : odd, 0.0};
  });
}

void grid_source(Field& b, const Extents& position, const GridSpacing& spacing, int first_column) {
  expect_grid(position, spacing, b.geometry());
  fill(b, first_column, [&](const Extents& x, std::uint64_t) {
    return Complex<double>{is_on_grid(x, position, spacing) ? 1.0 : 0.0, 0.0};
  });
}

void gaussian_source(Field& b, const Extents& center, double width, int stride, int first_column) {
  expect_inside(center, b.geometry());
  require(width > 0 && std::isfinite(width) && stride > 0, "a Gaussian source of no width or stride");
  const Extents extents = b.geometry().global();
  fill(b, first_column, [&](const Extents& x, std::uint64_t) {
    bool on = x[3] == center[3];
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const int away = std::abs(x[i] - center[i]), near = std::min(away, extents[i] - away);
      on = on && near % stride == 0;
      square += static_cast<double>(near) * near;
    }
    return Complex<double>{on ? std::exp(-square / (width * width)) : 0.0, 0.0};
  });
}

void box_source(Field& b, const Extents& corner, const std::array<int, 3>& size, int stride,
                int first_column) {
  expect_inside(corner, b.geometry());
  const Extents extents = b.geometry().global();
  for (std::size_t i = 0; i < 3; ++i)
    require(size[i] >= 1 && size[i] <= extents[i] && stride > 0, "a box source that is not on the lattice");
  fill(b, first_column, [&](const Extents& x, std::uint64_t) {
    bool on = x[3] == corner[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const int ahead = (x[i] - corner[i] + extents[i]) % extents[i];
      on = on && ahead < size[i] && ahead % stride == 0;
    }
    return Complex<double>{on ? 1.0 : 0.0, 0.0};
  });
}

void momentum_source(Field& b, const std::array<int, 4>& n, int first_column) {
  fill(b, first_column, [&](const Extents& x, std::uint64_t) { return wave(n, x, b.geometry().global()); });
}

void noise_source(Field& b, Noise noise, std::uint64_t seed, std::uint32_t sample, std::optional<int> t,
                  int first_column) {
  if (t) expect_slice(*t, b.geometry());
  fill(b, first_column, [&](const Extents& x, std::uint64_t site) -> Complex<double> {
    if (t && x[3] != *t) return {0.0, 0.0};
    return noise_at(noise, seed, site, sample);
  });
}

void grid_noise_source(Field& b, Noise noise, std::uint64_t seed, std::uint32_t sample,
                       const Extents& position, const GridSpacing& spacing, int first_column) {
  expect_grid(position, spacing, b.geometry());
  fill(b, first_column, [&](const Extents& x, std::uint64_t site) -> Complex<double> {
    if (!is_on_grid(x, position, spacing)) return {0.0, 0.0};
    return noise_at(noise, seed, site, sample);
  });
}

void spin_noise_source(Field& b, Noise noise, std::uint64_t seed, std::uint32_t sample,
                       const Extents& position, const GridSpacing& spacing, int first_column) {
  expect_grid(position, spacing, b.geometry());
  expect_columns(b, first_column);
  fill_sites(b, [&](Field& host, int parity, int site, const Extents& x, std::uint64_t number) {
    if (!is_on_grid(x, position, spacing)) return;
    for (int subfield = 0; subfield < b.subfields(); ++subfield) {
      const int column = first_column + subfield;
      if (column % 3 != 0) continue;
      for (int color = 0; color < 3; ++color)
        set_component(host, subfield, parity, site, column + color,
                      noise_at(noise, seed, number, 3 * sample + static_cast<std::uint32_t>(color)));
    }
  });
}

void random_source(Field& b, Noise noise, std::uint64_t seed, std::uint32_t first) {
  expect_source(b);
  if (b.precision() == Precision::half_precision) {
    FieldSpec spec = b.spec();
    spec.precision = Precision::single_precision;
    Field wide(b.geometry_ptr(), spec);
    random_source(wide, noise, seed, first);
    return copy(b, wide);
  }
  if (b.location() == Location::device) wait_for_device();
  const Queue queue(b.location());
  dispatch(b.location(), b.precision(), [&]<class Kind>(Kind) {
    launch_noise<typename Kind::target, typename Kind::scalar>(b, noise, seed, std::int64_t{first}, {},
                                                               queue);
  });
  queue.synchronize();
  b.touch();
}

}  // namespace plaq

#include "kernels/quark/sources.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/launch/dispatch.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/memory.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/quark/column_launch.hpp"
#include "kernels/quark/noise_launch.hpp"
#include "kernels/quark/plane_wave.hpp"

namespace plaq {
namespace {

void expect_source(const Field& b) {
  require(b.spec().subset == Subset::full && b.geometry().halo_depth() == 0,
          "a source is a field on both parities without halo");
}

void expect_columns(const Field& b, int first_column) {
  const int columns = b.reals_per_site() / 2;
  if (first_column < 0 || first_column + b.subfields() > columns)
    throw Error(ErrorKind::internal, "internal error: columns " + std::to_string(first_column) + " to " +
                                         std::to_string(first_column + b.subfields() - 1) +
                                         " of a source, but there are " + std::to_string(columns) +
                                         ", from 0 on");
}

// Numbers of sites on the host: values(coordinates in the whole lattice, their lexicographic number).
template <std::size_t width, class Values>
Field values_of_sites(const GeometryPtr& geometry, const Values& values) {
  Field made(geometry,
             {Subset::full, 1, 1, static_cast<int>(width), Precision::double_precision, Location::host});
  const GeneralShape& shape = geometry->general_shape();
  on_numbers([&] {
    for (int parity = 0; parity < shape.parities(); ++parity) {
#pragma omp parallel for schedule(static)
      for (int site = 0; site < shape.parity_sites(parity); ++site) {
        const Coordinates c = shape.coordinates(parity, site);
        Extents x;
        for (int mu = 0; mu < 4; ++mu) x[static_cast<std::size_t>(mu)] = shape.global_coordinate(c, mu);
        const std::array<Complex<double>, width> z =
            values(x, static_cast<std::uint64_t>(shape.global_index(c)));
        for (std::size_t k = 0; k < width; ++k) {
          set_real(made, static_cast<int>(k), parity, site, 0, z[k].re);
          set_real(made, static_cast<int>(k), parity, site, 1, z[k].im);
        }
      }
    }
  });
  return made;
}

// Columns of values_of_sites(), made where b is (kernels/quark/column_launch.hpp).
template <std::size_t width, class Values>
void fill_columns(Field& b, int first_column, const Values& values) {
  expect_source(b);
  require(b.spec().colors == 3, "a source of quarks that is a field without colors");
  expect_columns(b, first_column);
  if (b.precision() == Precision::half_precision) {
    FieldSpec spec = b.spec();
    spec.precision = Precision::single_precision;
    Field wide(b.geometry_ptr(), spec);
    fill_columns<width>(wide, first_column, values);
    return copy(b, wide);
  }
  const MemoryName name("source as made");
  Field numbers = values_of_sites<width>(b.geometry_ptr(), values);
  if (b.location() == Location::device) {
    FieldSpec spec = numbers.spec();
    spec.location = Location::device;
    Field there(b.geometry_ptr(), spec);
    on_numbers([&] { copy(there, numbers); });
    numbers = std::move(there);
    wait_for_device();
  }
  const Queue queue(b.location());
  dispatch(b.location(), b.precision(), [&]<class Kind>(Kind) {
    launch_columns<typename Kind::target, typename Kind::scalar>(b, numbers, first_column, queue);
  });
  queue.synchronize();
  b.touch();
}

// b(x) = value(coordinates, number) in each subfield's own component.
template <class Value>
void fill(Field& b, int first_column, const Value& value) {
  fill_columns<1>(b, first_column,
                  [&](const Extents& x, std::uint64_t number) { return std::array{value(x, number)}; });
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

void momentum_source(Field& b, const std::array<int, 4>& n, int first_column,
                     const std::array<int, 4>& half) {
  // Twice the momenta on twice the lattice: whole numbers, and the same angles where half is 0.
  std::array<int, 4> twice{};
  Extents extents = b.geometry().global();
  for (std::size_t mu = 0; mu < 4; ++mu) {
    require(half[mu] == 0 || half[mu] == 1, "a momentum source of neither whole nor half momenta");
    twice[mu] = 2 * n[mu] + half[mu];
    extents[mu] *= 2;
  }
  fill(b, first_column, [&](const Extents& x, std::uint64_t) { return wave(twice, x, extents); });
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
  fill_columns<3>(b, first_column, [&](const Extents& x, std::uint64_t number) {
    std::array<Complex<double>, 3> z{};
    if (is_on_grid(x, position, spacing))
      for (std::uint32_t color = 0; color < 3; ++color)
        z[color] = noise_at(noise, seed, number, 3 * sample + color);
    return z;
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

#include "observables/quark/bilinears.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/dry_run.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"
#include "kernels/field/shift.hpp"
#include "kernels/gauge/boundary_signs.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "observables/quark/quark_loop_settings.hpp"

namespace plaq {
namespace {

constexpr std::string_view letters = "xyzt";
constexpr std::size_t most_derivatives = 3;

int direction_of(char letter) { return static_cast<int>(letters.find(letter)); }

void multiply(Correlators& correlators, double factor) {
  for (auto& channel : correlators)
    for (auto& of_t : channel)
      for (auto& value : of_t) value *= factor;
}

// y = a x + b y
void combine(double a, const Field& x, double b, Field& y, const Queue& queue) {
  blas::Workspace work(queue, x.batch());
  const blas::Coefficients both{1, {a, 0, b, 0}};
  blas::update<blas::Axpby>(work, std::vector(static_cast<std::size_t>(x.batch()), both), {&x, &y});
  queue.synchronize();
  y.touch();
}

template <class T>
bool has_twice(std::vector<T> list) {
  std::sort(list.begin(), list.end());
  return std::adjacent_find(list.begin(), list.end()) != list.end();
}

}  // namespace

std::optional<std::pair<std::string, std::string>> fault_of(const BilinearSettings& settings,
                                                            const Extents& extents) {
  using Fault = std::pair<std::string, std::string>;
  for (const std::string& word : settings.derivatives)
    if (word.empty() || word.size() > most_derivatives ||
        word.find_first_not_of(letters) != std::string::npos)
      return Fault("derivatives", fmt::format("\"{}\" is not one to three letters out of x, y, z, t", word));
  if (has_twice(settings.derivatives)) return Fault("derivatives", "has one of them twice");
  for (const int mu : settings.line_directions)
    if (mu < 0 || mu > 3) return Fault("line_directions", "are 0 to 3 for x, y, z, t");
  if (has_twice(settings.line_directions)) return Fault("line_directions", "has one of them twice");
  if (settings.line_length < 0) return Fault("line_length", "is negative");
  if (settings.line_directions.empty() != (settings.line_length == 0))
    return settings.line_length == 0
               ? Fault("line_length", "is missing: the longest line in line_directions")
               : Fault("line_directions", "is missing: the directions of lines of line_length");
  for (const int mu : settings.line_directions) {
    const int most = extents[static_cast<std::size_t>(mu)] / 2;
    if (settings.line_length > most)
      return Fault("line_length",
                   fmt::format("{} is more than half of the lattice in {}, which is {}", settings.line_length,
                               letters[static_cast<std::size_t>(mu)], most));
  }
  return std::nullopt;
}

Bilinears& Bilinears::operator*=(double factor) {
  multiply(conserved, factor);
  for (Correlators& one : derivatives) multiply(one, factor);
  for (auto& direction : lines)
    for (Correlators& one : direction) multiply(one, factor);
  return *this;
}

BilinearOperators::BilinearOperators(const SharedLattice& lattice, BilinearSettings settings,
                                     const std::vector<Momentum>& momenta)
    : lattice_(lattice),
      settings_(std::move(settings)),
      project_(*lattice.grid, lattice.geometry, momenta, lattice.queue),
      matrices_(lattice.geometry, 4, lattice.queue) {
  const auto fault = fault_of(settings_, lattice.geometry->global());
  require(!fault, "point-split operators that the lattice does not have");
}

void BilinearOperators::set_links(BilinearLinks links) {
  links_ = std::move(links);
  for (Field* field : {&links_.action, &links_.hops}) {
    if (!*field) continue;
    const Field with_signs = with_boundary_signs(*field, links_.boundary);
    *field =
        with_signs.location() == lattice_.location() ? with_signs : links_without_halo(lattice_, with_signs);
  }
}

Correlators BilinearOperators::matrix_of(const Field& right, const Field& left, const Extents& position) {
  matrices_.clear();
  matrices_.add(right, left, 0, right.subfields());
  return project_(matrices_.density(), position);
}

Correlators BilinearOperators::traces(const Correlators& matrix) const {
  Correlators all;
  for (const LoopCurrent& current : all_loop_currents())
    all.push_back(trace_with(gamma5() * current.gamma, matrix));
  return all;
}

void BilinearOperators::hop(Field& out, const Field& in, const Field& links, int mu, bool forward) const {
  covariant_shift(*lattice_.grid, out, in, links, mu, forward, lattice_.queue, lattice_.transport);
}

Field BilinearOperators::in_four(const Field& five) const {
  FieldSpec spec = five.spec();
  spec.subfields = five.batch();
  spec.Ls = 1;
  return Field(lattice_.geometry, spec);
}

Field BilinearOperators::slice_of(const Field& five, int s) const {
  if (five.Ls() == 1) return five;
  Field four = in_four(five);
  for (int column = 0; column < five.batch(); ++column)
    copy_subfield(four, column, five, column * five.Ls() + s);
  return four;
}

// out = factor D in
void BilinearOperators::differentiate(Field& out, const Field& in, int mu, double factor) const {
  Field back = like(in);
  hop(out, in, links_.hops, mu, true);
  hop(back, in, links_.hops, mu, false);
  combine(-factor / 2, back, factor / 2, out, lattice_.queue);
}

std::vector<std::vector<std::complex<double>>> BilinearOperators::conserved(int mu, const Walls& walls,
                                                                            int first, int end,
                                                                            const Extents& position) {
  const int slices = walls.quark->Ls();
  Field hopped = in_four(*walls.quark);
  const auto sum = [&](bool hops_sequential) {
    matrices_.clear();
    for (int s = first; s < end; ++s) {
      const Field right = slice_of(*walls.quark, s), left = slice_of(*walls.sequential, slices - 1 - s);
      hop(hopped, hops_sequential ? left : right, links_.action, mu, true);
      matrices_.add(hops_sequential ? right : hopped, hops_sequential ? hopped : left, 0, right.subfields());
      lattice_.queue.synchronize();  // the fields end here
    }
    return project_(matrices_.density(), position);
  };
  const double half = links_.weights[static_cast<std::size_t>(mu)] / 2;
  const Correlators to = sum(true), from = sum(false);
  const GammaMatrix one = gamma5(), slash = gamma5() * gamma(mu);
  auto values = trace_with(one, to);
  const auto to_slash = trace_with(slash, to), from_one = trace_with(one, from),
             from_slash = trace_with(slash, from);
  for (std::size_t p = 0; p < values.size(); ++p)
    for (std::size_t t = 0; t < values[p].size(); ++t)
      values[p][t] = half * (values[p][t] + to_slash[p][t] - (from_one[p][t] - from_slash[p][t]));
  return values;
}

// The halves of the fifth dimension apart, and a slice between them.
Correlators BilinearOperators::conserved(const Walls& walls, const Extents& position) {
  const int slices = walls.quark->Ls();
  Correlators vector, axial;
  for (int mu = 0; mu < 4; ++mu) {
    if (slices == 1) {
      vector.push_back(conserved(mu, walls, 0, 1, position));
      continue;
    }
    const auto below = conserved(mu, walls, 0, slices / 2, position),
               above = conserved(mu, walls, slices - slices / 2, slices, position);
    auto &sum = vector.emplace_back(above), &difference = axial.emplace_back(above);
    for (std::size_t p = 0; p < sum.size(); ++p)
      for (std::size_t t = 0; t < sum[p].size(); ++t) {
        sum[p][t] += below[p][t];
        difference[p][t] -= below[p][t];
      }
    if (slices % 2 == 0) continue;
    const auto middle = conserved(mu, walls, slices / 2, slices / 2 + 1, position);
    for (std::size_t p = 0; p < sum.size(); ++p)
      for (std::size_t t = 0; t < sum[p].size(); ++t) sum[p][t] += middle[p][t];
  }
  vector.insert(vector.end(), axial.begin(), axial.end());
  return vector;
}

Correlators BilinearOperators::derivative(const std::string& directions, const Field& quark,
                                          const Field& sequential, const Extents& position) {
  const int order = static_cast<int>(directions.size());
  matrices_.clear();
  for (unsigned left = 0; left < 1u << order; ++left) {
    // The derivatives of each side in the order in which they act; the very last one has the factor.
    std::vector<int> on_quark, on_sequential;
    for (int i = 0; i < order; ++i)
      if ((left >> i & 1u) != 0)
        on_sequential.push_back(direction_of(directions[static_cast<std::size_t>(i)]));
    for (int i = order - 1; i >= 0; --i)
      if ((left >> i & 1u) == 0) on_quark.push_back(direction_of(directions[static_cast<std::size_t>(i)]));
    const double factor = (on_sequential.size() % 2 == 0 ? 1.0 : -1.0) / (1 << order);
    const auto differentiated = [&](const Field& in, const std::vector<int>& by, double times) {
      Field now = in;
      for (std::size_t i = 0; i < by.size(); ++i) {
        Field next = like(in);
        differentiate(next, now, by[i], i + 1 == by.size() ? times : 1.0);
        now = next;
      }
      return now;
    };
    const Field right = differentiated(quark, on_quark, factor),
                other = differentiated(sequential, on_sequential, on_quark.empty() ? factor : 1.0);
    matrices_.add(right, other, 0, right.subfields());
    lattice_.queue.synchronize();  // the fields end here
  }
  return traces(project_(matrices_.density(), position));
}

std::vector<Correlators> BilinearOperators::lines(int mu, const Field& quark, const Field& sequential,
                                                  const Extents& position) {
  const int length = settings_.line_length;
  std::vector<Correlators> all(static_cast<std::size_t>(2 * length + 1));
  const auto put = [&](int z, const Field& hopped) {
    all[static_cast<std::size_t>(length + z)] = traces(matrix_of(hopped, sequential, position));
  };
  put(0, quark);
  for (const int sign : {1, -1}) {
    Field now = quark, next = like(quark), spare = like(quark);
    for (int z = 1; z <= length; ++z) {
      hop(next, now, links_.hops, mu, sign == 1);
      now = next;
      std::swap(next, spare);
      put(sign * z, now);
    }
  }
  return all;
}

Bilinears BilinearOperators::operator()(const Field& quark, const Field& sequential, const Extents& position,
                                        const Walls& walls) {
  const MemoryName name("point-split operators");
  require((!settings_.conserved || links_.action) && (!settings_.has_hops() || links_.hops),
          "point-split operators without links");
  Bilinears found;
  if (settings_.conserved) found.conserved = conserved(walls, position);
  for (const std::string& directions : settings_.derivatives)
    found.derivatives.push_back(derivative(directions, quark, sequential, position));
  for (const int mu : settings_.line_directions)
    found.lines.push_back(lines(mu, quark, sequential, position));
  return found;
}

}  // namespace plaq

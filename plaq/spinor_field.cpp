#include "plaq/spinor_field.hpp"

#include <algorithm>
#include <string>

#include "comms/start/shared_lattice.hpp"
#include "core/operator/active_set.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"
#include "kernels/field/shift.hpp"

namespace plaq {
namespace {

FieldSpec spec_of(const Lattice& lattice, const SpinorSettings& s) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::usage, what); };
  if (s.spins != 1 && s.spins != 4) refuse("spins must be 4, or 1 for staggered quarks");
  if (s.Ls < 1 || s.columns < 1 || s.columns > ActiveSet::capacity / s.Ls)
    refuse("a field has 1 to " + std::to_string(ActiveSet::capacity / std::max(s.Ls, 1)) + " columns" +
           (s.Ls > 1 ? " of " + std::to_string(s.Ls) + " slices" : "") + ", not " +
           std::to_string(s.columns));
  if (s.precision != Precision::double_precision && s.precision != Precision::single_precision)
    refuse("the precision of quark fields must be double or single");
  FieldSpec spec{Subset::full, s.spins, 3, s.columns * s.Ls, s.precision, lattice.location()};
  spec.Ls = s.Ls;
  return spec;
}

void expect_alike(const SpinorField& x, const SpinorField& y) {
  if (!(x.lattice() == y.lattice()))
    throw Error(ErrorKind::usage, "the fields lie on different lattices; make all of them on one Lattice");
  if (x.field().spec() != y.field().spec())
    throw Error(ErrorKind::usage, "the fields of a sum must have the same columns, components and precision");
}

std::vector<blas::Coefficients> none_for(int batch) {
  return std::vector<blas::Coefficients>(static_cast<std::size_t>(batch));
}

// y = a x + b y for all subfields.
void combine(const std::complex<double>& a, const Field& x, const std::complex<double>& b, Field& y,
             const Queue& queue) {
  blas::Workspace work(queue, x.batch());
  const blas::Coefficients both{1, {a.real(), a.imag(), b.real(), b.imag()}};
  blas::update<blas::Axpby>(work, std::vector(static_cast<std::size_t>(x.batch()), both), {&x, &y});
  queue.synchronize();
  y.touch();
}

// |x|^2 and x^dagger y of each subfield, over all ranks: exact sums, rounded once. Collective.
std::vector<double> norms(const ProcessGrid& grid, const Field& x, const Queue& queue) {
  blas::Workspace work(queue, x.batch());
  auto sums = blas::update_and_sum<blas::Norm>(work, none_for(x.batch()), {&x});
  return global_sums(grid, sums);
}

std::vector<std::complex<double>> products(const ProcessGrid& grid, const Field& x, const Field& y,
                                           const Queue& queue) {
  blas::Workspace work(queue, x.batch());
  auto sums = blas::update_and_sum<blas::Dot>(work, none_for(x.batch()), {&x, &y});
  const std::vector<double> parts = global_sums(grid, sums);
  std::vector<std::complex<double>> found;
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) found.emplace_back(parts[i], parts[i + 1]);
  return found;
}

template <class T>
HostField<T> read(const SpinorField& x, int spins) {
  if (x.spins() != spins)
    throw Error(ErrorKind::usage,
                "on_host() is for spinors and staggered_on_host() for color vectors; take the other one");
  HostField<T> values(x.lattice(), x.field().subfields());
  detail::read_sites(x.field(), values.data());
  return values;
}

template <class T>
void write(SpinorField& x, const HostField<T>& values, int spins) {
  if (x.spins() != spins || values.count() != x.field().subfields() || !(values.lattice() == x.lattice()))
    throw Error(ErrorKind::usage,
                "SpinorField::set: numbers of another lattice, or of other columns or spins");
  detail::write_sites(x.field(), values.data());
  x.forget_origin();
}

// From columns of vectors to matrices and back.
template <int N>
HostField<SiteMatrix<N>> matrices_of(const HostField<SiteMatrix<N, 1>>& columns) {
  HostField<SiteMatrix<N>> matrices(columns.lattice());
  const auto sites = static_cast<int>(columns.lattice().local_volume());
  for (int column = 0; column < N; ++column)
    for (int site = 0; site < sites; ++site)
      for (int row = 0; row < N; ++row) matrices[site](row, column) = columns(column, site)(row);
  return matrices;
}

template <int N>
HostField<SiteMatrix<N, 1>> columns_of(const HostField<SiteMatrix<N>>& matrices) {
  HostField<SiteMatrix<N, 1>> columns(matrices.lattice(), N);
  const auto sites = static_cast<int>(matrices.lattice().local_volume());
  for (int column = 0; column < N; ++column)
    for (int site = 0; site < sites; ++site)
      for (int row = 0; row < N; ++row) columns(column, site)(row) = matrices[site](row, column);
  return columns;
}

}  // namespace

SpinorField::SpinorField(const Lattice& lattice, const SpinorSettings& settings)
    : LatticeField(lattice, spec_of(lattice, settings)) {}

HostField<SiteSpinor> SpinorField::on_host() const { return read<SiteSpinor>(*this, 4); }
HostField<SiteColorVector> SpinorField::staggered_on_host() const { return read<SiteColorVector>(*this, 1); }
void SpinorField::set(const HostField<SiteSpinor>& psi) { write(*this, psi, 4); }
void SpinorField::set(const HostField<SiteColorVector>& chi) { write(*this, chi, 1); }

void SpinorField::forget_origin() {
  solved_.reset();
  note_.source_type.clear();
  note_.source.reset();
  note_.seed.reset();
}

SpinorField SpinorField::with_precision(Precision precision) const {
  SpinorSettings other = settings();
  other.precision = precision;
  SpinorField made(lattice(), other);
  copy(made.field(), field());
  made.note() = note_;
  made.set_solved(solved_);
  return made;
}

SpinorField SpinorField::some_columns(int first, int count) const {
  if (first < 0 || count < 1 || first + count > columns())
    throw Error(ErrorKind::usage, "columns " + std::to_string(first) + " to " +
                                      std::to_string(first + count - 1) + " of a field with " +
                                      std::to_string(columns()));
  SpinorSettings some = settings();
  some.columns = count;
  SpinorField part(lattice(), some);
  for (int i = 0; i < count * Ls(); ++i) copy_subfield(part.field(), i, field(), first * Ls() + i);
  part.note() = note_;
  return part;
}

void SpinorField::set_columns(int first, const SpinorField& from) {
  SpinorSettings alike = from.settings();
  alike.columns = columns();
  if (!(from.lattice() == lattice()) || spec_of(lattice(), alike) != field().spec() || first < 0 ||
      first + from.columns() > columns())
    throw Error(ErrorKind::usage, "the field has too few columns for the copied ones");
  for (int i = 0; i < from.field().subfields(); ++i)
    copy_subfield(field(), first * Ls() + i, from.field(), i);
  field().touch();
  solved_.reset();
  note_ = from.columns() == columns() ? from.note() : common_note(note_, from.note());
}

SpinorField& SpinorField::operator+=(const SpinorField& x) {
  add(*this, 1, x);
  return *this;
}
SpinorField& SpinorField::operator-=(const SpinorField& x) {
  add(*this, -1, x);
  return *this;
}
SpinorField& SpinorField::operator*=(std::complex<double> a) { return *this = a * *this; }

SpinorField operator+(const SpinorField& x, const SpinorField& y) {
  SpinorField sum = x;
  return sum += y;
}
SpinorField operator-(const SpinorField& x, const SpinorField& y) {
  SpinorField sum = x;
  return sum -= y;
}
SpinorField operator*(std::complex<double> a, const SpinorField& x) {
  SpinorField scaled(x.lattice(), x.settings());
  combine(a, x.field(), 0, scaled.field(), x.lattice().shared().queue);
  scaled.note() = x.note();
  return scaled;
}

void add(SpinorField& y, std::complex<double> a, const SpinorField& x) {
  expect_alike(x, y);
  combine(a, x.field(), 1, y.field(), y.lattice().shared().queue);
  y.note() = common_note(x.note(), y.note());
  y.set_solved({});
}

std::vector<double> norm2(const SpinorField& x) {
  const SharedLattice& lattice = x.lattice().shared();
  return norms(*lattice.grid, x.field(), lattice.queue);
}

std::vector<std::complex<double>> inner_product(const SpinorField& x, const SpinorField& y) {
  expect_alike(x, y);
  const SharedLattice& lattice = x.lattice().shared();
  return products(*lattice.grid, x.field(), y.field(), lattice.queue);
}

SpinorField operator*(const GammaMatrix& gamma, const SpinorField& psi) {
  if (psi.spins() != 4) throw Error(ErrorKind::usage, "gamma matrices act on spinors, not on color vectors");
  SpinorField product(psi.lattice(), psi.settings());
  multiply_spins(product.field(), gamma, psi.field(), psi.lattice().shared().queue);
  product.note() = psi.note();
  return product;
}

Propagator::Propagator(SpinorField columns) : SpinorField(std::move(columns)) {
  if (Ls() != 1 || this->columns() != 3 * spins())
    throw Error(ErrorKind::usage, "a propagator is wanted, of " + std::to_string(3 * spins()) +
                                      " columns in four dimensions; the field has " +
                                      std::to_string(this->columns()));
}

HostField<SpinColorMatrix> Propagator::on_host() const { return matrices_of<12>(SpinorField::on_host()); }
HostField<ColorMatrix> Propagator::staggered_on_host() const {
  return matrices_of<3>(SpinorField::staggered_on_host());
}
void Propagator::set(const HostField<SpinColorMatrix>& matrices) {
  SpinorField::set(columns_of<12>(matrices));
}
void Propagator::set(const HostField<ColorMatrix>& matrices) { SpinorField::set(columns_of<3>(matrices)); }

}  // namespace plaq

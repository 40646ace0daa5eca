#include "kernels/blas/blas.hpp"

#include <algorithm>
#include <iterator>

#include "core/system/error.hpp"
#include "kernels/blas/launch.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq::blas {
namespace {

// Copies the coefficients of the active right-hand sides, one after the other.
void copy_active(const std::vector<Coefficients>& all, const ActiveSet& active, CoefficientList::Set* to) {
  for (int k = 0; k < active.count(); ++k) {
    const auto& from = all[static_cast<std::size_t>(active[k])].value;
    std::copy(std::begin(from), std::end(from), to[k].value);
  }
}

}  // namespace

Workspace::Workspace(const Queue& queue, int batch)
    : queue_(queue),
      batch_(batch),
      active_(static_cast<std::size_t>(batch)),
      sums_(queue.location(), sums_for(batch)),
      totals_(queue.location(), total_bytes(batch)) {
  sums_.clear(queue, sums_.capacity());
  const std::size_t bytes = coefficient_bytes(batch);
  if (bytes == 0) return;
  staging_ = Buffer(Location::host, bytes, true);
  if (queue.location() == Location::device) {
    device_ = Buffer(Location::device, bytes);
    for (int i = 0; i < rounds; ++i) uploaded_.emplace_back(Location::device);
  }
}

CoefficientList Workspace::upload(const std::vector<Coefficients>& coefficients) {
  require(static_cast<int>(coefficients.size()) == batch_, "coefficients for another batch");
  for (std::size_t subfield = 0; subfield < active_.size(); ++subfield)
    active_[subfield] = coefficients[subfield].active != 0;
  CoefficientList list;
  list.active = ActiveSet(active_);
  if (list.active.count() <= CoefficientList::most) {
    copy_active(coefficients, list.active, list.few);
    return list;
  }
  const std::size_t offset = static_cast<std::size_t>(next_) * coefficients.size();
  auto* host = staging_.as<CoefficientList::Set>() + offset;
  if (!device_) {
    copy_active(coefficients, list.active, host);
    next_ = (next_ + 1) % rounds;
    list.more = host;
    return list;
  }
  auto& event = uploaded_[static_cast<std::size_t>(next_)];
  event.synchronize();  // the copy that used this place before
  copy_active(coefficients, list.active, host);
  auto* device = device_.as<CoefficientList::Set>() + offset;
  queue_.copy_async(device, host,
                    static_cast<std::size_t>(list.active.count()) * sizeof(CoefficientList::Set));
  event.record(queue_);
  next_ = (next_ + 1) % rounds;
  list.more = device;
  return list;
}

int Workspace::reserve_sums(int count) {
  const int first = reserved_;
  require(first + count <= sums_.capacity(), "more sums than a workspace has room for");
  reserved_ += count;
  return first;
}

std::vector<ExactSum> Workspace::fetch_sums() {
  const int count = release_sums();
  auto sums = sums_.fetch(queue_, count);
  sums_.clear(queue_, count);
  return sums;
}

std::vector<ExactSum> slice_norms(const Field& x, const Queue& queue) {
  const int times = x.geometry().local()[3], batch = x.batch();
  require(x.geometry().halo_depth() == 0, "slice norms are for fields without halo");
  SumBuffer sums(queue.location(), times * batch);
  sums.clear(queue, times * batch);
  Workspace work(queue, batch);
  const CoefficientList all = work.upload(std::vector<Coefficients>(static_cast<std::size_t>(batch)));
  dispatch(x.location(), x.precision(), [&](auto kind) {
    using K = decltype(kind);
    SlicesLaunch<typename K::target, typename K::scalar>::norms(x, all, sums, queue);
  });
  const auto by_time = sums.fetch(queue, times * batch);
  std::vector<ExactSum> norms;
  for (int i = 0; i < batch; ++i)
    for (int t = 0; t < times; ++t) norms.push_back(by_time[static_cast<std::size_t>(t * batch + i)]);
  return norms;
}

void copy_slices(Field& to, const Field& from, const std::vector<char>& wanted, const Queue& queue) {
  require(to.geometry().halo_depth() == 0 &&
              wanted.size() == static_cast<std::size_t>(to.batch() * to.geometry().local()[3]),
          "slices of a field with a halo, or another number of slices than the field has");
  Workspace work(queue, 1);
  const CoefficientList one = work.upload(std::vector<Coefficients>(1));
  dispatch(to.location(), to.precision(), [&](auto kind) {
    using K = decltype(kind);
    SlicesLaunch<typename K::target, typename K::scalar>::copy(to, from, wanted, one, queue);
  });
  queue.synchronize();  // before the workspace goes
}

void expect_alike(const Field& vector, const Field& like, Location location, Precision precision) {
  const FieldSpec& v = vector.spec();
  expect(vector, location, precision, like.spec().spins, like.spec().colors);
  require(v.with_scale() == (precision == Precision::half_precision),
          "a field without scales in a vector update in half precision");
  require(v.subfields == like.spec().subfields && v.Ls == like.spec().Ls,
          "vectors of different batches or fifth extents in one update");
  require(vector.layout().sites == like.layout().sites, "vectors on different lattices in one update");
}

std::string shape_name(const Field& vector) {
  const std::string storage(name_of(vector.precision()));
  const int reals = vector.reals_per_site();
  return reals == 24 ? storage : storage + " " + std::to_string(reals);
}

}  // namespace plaq::blas

#include "gaugefix/fourier/accelerated.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "gaugefix/fourier/ascent_kernels.hpp"

namespace plaq {
namespace {

constexpr int sums_of_problem = sums_of_gradient + sums_of_curvature;

std::uint32_t transformed_directions(Gauge gauge) { return gauge == Gauge::coulomb ? 0x7u : 0xfu; }

HaloSpec halo_of_z(const GaugeFixer& fixer) {
  HaloSpec spec;
  spec.reals = 8;
  spec.batch = 2 * fixer.copies();
  spec.precision = Precision::single_precision;
  spec.location = fixer.queue().location();
  spec.directions = transformed_directions(fixer.gauge());
  return spec;
}

GaugeFixer& accepted(GaugeFixer& fixer) {
  if (fixer.gauge() == Gauge::maximally_abelian)
    throw Error(ErrorKind::usage,
                "maximally Abelian gauge has no acceleration: only Landau and Coulomb gauge have");
  return fixer;
}

}  // namespace

AcceleratedFixing::AcceleratedFixing(GaugeFixer& fixer, std::shared_ptr<Transport> transport,
                                     const AccelerationOptions& options)
    : fixer_(&accepted(fixer)),
      options_(options),
      location_(fixer.queue().location()),
      geometry_(fixer.quality_call(0).g->geometry_ptr()),
      copies_(fixer.copies()),
      slices_(fixer.gauge() == Gauge::coulomb ? geometry_->local()[3] : 1),
      all_slices_(fixer.gauge() == Gauge::coulomb ? geometry_->global()[3] : 1),
      halo_(fixer.grid(), geometry_, halo_of_z(fixer), std::move(transport)),
      sums_(location_, sums_of_problem * copies_ * slices_) {
  if (options_.fourier) {
    laplacian_.emplace(fixer.grid(), *geometry_, transformed_directions(fixer.gauge()), copies_, location_);
    rows_ = laplacian_->layout();
  } else {
    rows_ = RowsLayout(*geometry_, copies_, 0xe);
  }
  const std::size_t bytes = static_cast<std::size_t>(rows_.total) * sizeof(ComplexPair);
  for (Buffer* vector : {&r_[0], &r_[1], &z_, &d_}) {
    if (vector == &z_ && !options_.fourier) continue;
    *vector = Buffer(location_, bytes);
    vector->fill_zero();
  }
  const std::size_t weights = static_cast<std::size_t>(copies_ * slices_) * sizeof(StepWeights);
  weights_ = Buffer(location_, weights);
  staged_weights_ = Buffer(Location::host, weights, true);
  const Halo& faces = *fixer.quality_call(0).halo;
  for (int mu = 0; mu < 4; ++mu)
    if (faces.exchanges(mu))
      ghost_g_[static_cast<std::size_t>(mu)] = Buffer(location_, 2 * faces.face_bytes(2 * mu));
}

// use(Kind<Target, L>{}, Storage<T>{}) for the storage of links and the precision of g.
template <class Use>
void AcceleratedFixing::with_precision(Use&& use) const {
  const FixingPrecision precision = fixer_->precision();
  dispatch(location_,
           precision == FixingPrecision::full ? Precision::double_precision : Precision::single_precision,
           [&](auto kind) {
             using L = typename decltype(kind)::scalar;
             if constexpr (std::is_same_v<L, float>) {
               if (precision == FixingPrecision::single) return use(kind, Storage<float>());
             }
             use(kind, Storage<double>());
           });
}

// Call for the iteration whose r is r_[now].
AscentCall AcceleratedFixing::ascent(int now) const {
  AscentCall call;
  call.rows = rows_;
  call.slices = slices_;
  call.r = r_[static_cast<std::size_t>(now)].as<ComplexPair>();
  call.before = r_[static_cast<std::size_t>(1 - now)].as<ComplexPair>();
  call.z = options_.fourier ? z_.as<ComplexPair>() : call.r;
  call.d = d_.as<ComplexPair>();
  call.halo = &halo_;
  for (std::size_t mu = 0; mu < 4; ++mu) call.ghost_g[mu] = ghost_g_[mu].data();
  return call;
}

// r of g as it is, z, and all sums; waits.
std::vector<AscentSums> AcceleratedFixing::measure(int now) {
  const Queue& queue = fixer_->queue();
  const AscentCall call = ascent(now);
  const Halo& faces = *fixer_->quality_call(0).halo;
  sums_.clear(queue, sums_.capacity());
  with_precision([&](auto kind, auto storage) {
    using Target = typename decltype(kind)::target;
    using L = typename decltype(kind)::scalar;
    using T = typename decltype(storage)::type;
    if (!faces.exchanges()) {
      AscentLaunch<Target, L, T>::gradient(fixer_->quality_call(0), call, true, sums_, queue);
    } else {
      for (int parity = 0; parity < 2; ++parity) {
        fixer_->exchange_quality_faces(parity);
        AscentLaunch<Target, L, T>::gradient(fixer_->quality_call(parity), call, false, sums_, queue);
        for (int mu = 0; mu < 4; ++mu) {
          if (!faces.exchanges(mu)) continue;
          const std::size_t bytes = faces.face_bytes(2 * mu);
          queue.copy_async(
              static_cast<char*>(call.ghost_g[mu]) + static_cast<std::size_t>(1 - parity) * bytes,
              faces.receive(2 * mu), bytes);
        }
      }
    }
    if (options_.fourier) laplacian_->apply(call.z, call.r, queue);
    if (halo_.exchanges()) {
      auto request = halo_.begin(queue, [&](const Queue& q) {
        AscentStepLaunch<Target, T>::algebra_pack(*fixer_->quality_call(0).g, call, q);
      });
      halo_.finish(std::move(request), queue);
    }
    AscentLaunch<Target, L, T>::curvature(fixer_->quality_call(0), call, sums_,
                                          sums_of_gradient * copies_ * slices_, queue);
  });
  return global(sums_.fetch(queue, sums_.capacity()));
}

// From those of this rank's problems to those of all.
std::vector<AscentSums> AcceleratedFixing::global(const std::vector<ExactSum>& here) const {
  const int problems = copies_ * all_slices_;
  const int offset = all_slices_ > 1 ? geometry_->offset()[3] : 0;
  std::vector<ExactSum> total(static_cast<std::size_t>(sums_of_problem * problems));
  for (int copy = 0; copy < copies_; ++copy)
    for (int s = 0; s < slices_; ++s)
      for (int part = 0; part < 2; ++part)
        for (int k = 0; k < 3; ++k) {
          const int from = 3 * (part * copies_ * slices_ + copy * slices_ + s) + k;
          const int to = sums_of_problem * (copy * all_slices_ + offset + s) + 3 * part + k;
          total[static_cast<std::size_t>(to)] = here[static_cast<std::size_t>(from)];
        }
  const auto rounded = global_sums(fixer_->grid(), total);
  std::vector<AscentSums> sums(static_cast<std::size_t>(problems));
  for (std::size_t p = 0; p < sums.size(); ++p) {
    const double* v = rounded.data() + p * sums_of_problem;
    sums[p] = {0.5 * v[0], v[1], v[2], v[3], v[4], v[5]};
  }
  return sums;
}

void AcceleratedFixing::take(int now, const std::vector<AscentStep>& steps) {
  const Queue& queue = fixer_->queue();
  auto* weights =
      staged_weights_.as<StepWeights>();  // the last copy of them is over: sums were fetched since
  const int offset = all_slices_ > 1 ? geometry_->offset()[3] : 0;
  for (int copy = 0; copy < copies_; ++copy)
    for (int s = 0; s < slices_; ++s) {
      const AscentStep& step = steps[static_cast<std::size_t>(copy * all_slices_ + offset + s)];
      weights[copy * slices_ + s] = {static_cast<float>(step.of_z), static_cast<float>(step.of_d)};
    }
  queue.copy_async(weights_.data(), staged_weights_.data(), staged_weights_.bytes());
  Field& g = *fixer_->quality_call(0).g;
  dispatch(location_, g.precision(), [&](auto kind) {
    using K = decltype(kind);
    AscentStepLaunch<typename K::target, typename K::scalar>::step(g, ascent(now), weights_.as<StepWeights>(),
                                                                   queue);
  });
}

AccelerationReport AcceleratedFixing::run(double theta, int most) {
  fixer_->project();  // sweeps in single precision leave SU(3)
  const double sites = static_cast<double>(geometry_->global_volume()) / all_slices_;
  // F is a sum of numbers that are rounded one by one.
  const double rounding = fixer_->precision() == FixingPrecision::single ? 1e-6 : 1e-11;
  std::vector<AscentState> states(static_cast<std::size_t>(copies_ * all_slices_),
                                  AscentState(sites, rounding, options_.conjugate));
  AccelerationReport report;
  for (;; ++report.iterations) {
    const int now = report.iterations % 2;
    const auto sums = measure(now);
    report.worst_theta = 0;
    std::vector<AscentStep> steps(states.size());
    for (std::size_t p = 0; p < states.size(); ++p) {
      const double its = sums[p].rr / (3 * sites);
      if (!std::isfinite(its))
        throw Error(ErrorKind::internal, "gauge fixing met numbers that are not finite");
      report.worst_theta = std::max(report.worst_theta, its);
      if (its >= theta) steps[p] = states[p].next(sums[p]);
    }
    report.converged = report.worst_theta < theta;
    if (report.converged || report.iterations >= most) break;
    take(now, steps);
  }
  for (const AscentState& state : states) report.steps_taken_back += state.taken_back();
  return report;
}

}  // namespace plaq

#include "jobs/propagator/propagator_observable.hpp"

namespace plaq::jobs {

// Each in its file.
const PropagatorObservable& saved_propagators();
const PropagatorObservable& two_point_functions();
const PropagatorObservable& residual_masses();
const PropagatorObservable& three_point_functions();
const PropagatorObservable& quark_propagator();
const PropagatorObservable& taste_mesons();
const PropagatorObservable& low_mode_average();

const std::vector<const PropagatorObservable*>& propagator_observables() {
  static const std::vector<const PropagatorObservable*> all = {
      &saved_propagators(), &two_point_functions(), &residual_masses(), &three_point_functions(),
      &quark_propagator(),  &taste_mesons(),        &low_mode_average()};
  return all;
}

std::vector<const PropagatorObservable*> observables_of(const Settings& job) {
  std::vector<const PropagatorObservable*> asked;
  for (const PropagatorObservable* observable : propagator_observables())
    if (observable->is_asked(job)) asked.push_back(observable);
  return asked;
}

}  // namespace plaq::jobs

// The extension module plaq._plaq. What users see is the package around it, python/plaq.
#include <nanobind/nanobind.h>

#include "core/system/log.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/dirac.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/gamma.hpp"
#include "python/bindings/keywords.hpp"
#include "python/bindings/lattice.hpp"

NB_MODULE(_plaq, module) {
  using namespace plaq::python;
  remember_main_thread();
  nanobind::set_leak_warnings(false);  // of what a program still holds when it ends
  plaq::log::set_level(plaq::log::Level::warning);
  static const plaq::WordingScope of_calls(call_wording());
  translate_errors();
  bind_commands(module);
  bind_keyword_lists(module);
  bind_lattice(module);
  bind_arrays(module);
  bind_fields(module);
  GaugeClass gauge = bind_gauge(module);
  bind_gauge_fixing(module, gauge);
  bind_heatbath(module);
  bind_hmc(module);
  bind_quarks(module);
  bind_neighbours(module);
  bind_site_arrays(module);
  bind_gluon(module);
  bind_dirac(module);
  bind_operators(module);
  bind_gamma(module);
  bind_contractions(module);
  bind_low_modes(module);
  bind_laplacian_modes(module);
  bind_distillation(module);
  bind_three_point(module);
  bind_vertices(module);
  bind_quark_observables(module);
}

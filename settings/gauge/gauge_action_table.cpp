#include "settings/gauge/gauge_action_table.hpp"

#include "kernels/gauge/gauge_action.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {
namespace {

void check_gauge_action(Problems& problems, const GaugeActionKeys& keys) {
  if (keys.action == "rectangles" && !keys.c1)
    problems.missing("gauge.c1", "the coefficient of rectangles; for example c1 = -0.0833333");
  if (keys.action != "rectangles" && keys.c1)
    problems.add("gauge.c1", "is read only with action = \"rectangles\"");
  if (keys.action != "luscher_weisz" && keys.u0.value_or(1) != 1)
    problems.add("gauge.u0", "is read only with action = \"luscher_weisz\"");
  if (keys.action != "luscher_weisz" && keys.flavours.value_or(0) != 0)
    problems.add("gauge.flavours", "is read only with action = \"luscher_weisz\"");
  if (keys.action == "luscher_weisz" && keys.anisotropy.value_or(1) != 1)
    problems.add("gauge.anisotropy", "is not known for luscher_weisz");
}

}  // namespace

std::vector<Key> gauge_action_keys(std::string_view example_beta) {
  return {field(&GaugeActionKeys::action, "action",
                "Gauge action: plaquettes (wilson), with rectangles and c0 = 1 - 8 c1 (symanzik, iwasaki, "
                "dbw2, rectangles), or the one-loop action of Luescher and Weisz (luscher_weisz).")
              .one_of({"wilson", "symanzik", "iwasaki", "dbw2", "rectangles", "luscher_weisz"}),
          field(&GaugeActionKeys::beta, "beta",
                "Coupling 6/g^2; 10/g^2 of luscher_weisz, whose plaquettes have the coefficient 1.")
              .within(0, 1000)
              .need(example_beta),
          field(&GaugeActionKeys::c1, "c1", "Coefficient of rectangles, for action = \"rectangles\".")
              .within(-10, 10)
              .such_as("-0.0833333")
              .without("that of the action"),
          field(&GaugeActionKeys::u0, "u0",
                "Fourth root of the average plaquette, for action = \"luscher_weisz\".")
              .between(0, 1.5)
              .such_as("0.87")
              .without("1"),
          field(&GaugeActionKeys::flavours, "flavours",
                "Flavours of sea quarks in the one-loop coefficients of luscher_weisz.")
              .within(0, 12)
              .such_as("2")
              .without("0"),
          field(&GaugeActionKeys::anisotropy, "anisotropy",
                "Bare anisotropy xi: loops in space have beta/xi, loops with time beta xi.")
              .between(0, 1000)
              .such_as("2.0")
              .without("1")};
}

Rule gauge_action_rule() {
  return {{"gauge.action", "gauge.c1", "gauge.u0", "gauge.flavours", "gauge.anisotropy"},
          "Each key of the gauge action must belong to it.",
          check_gauge_action};
}

LoopWeights loop_weights(const GaugeActionKeys& keys) {
  const double xi = keys.anisotropy.value_or(1);
  if (keys.action == "wilson") return wilson_gauge_action(keys.beta, xi);
  if (keys.action == "luscher_weisz")
    return luscher_weisz_gauge_action(keys.beta, keys.u0.value_or(1), keys.flavours.value_or(0));
  const double c1 = keys.action == "symanzik"  ? symanzik_c1
                    : keys.action == "iwasaki" ? iwasaki_c1
                    : keys.action == "dbw2"    ? dbw2_c1
                                               : keys.c1.value();
  return rectangle_gauge_action(keys.beta, c1, xi);
}

}  // namespace plaq::settings

#include "jobs/dirac/action_schema.hpp"

#include "core/operator/active_set.hpp"
#include "jobs/dirac/action_keys.hpp"

namespace plaq::jobs {
namespace {

std::vector<Key> mass_keys(MassKeys masses, Actions actions) {
  const std::string other = actions == Actions::all ? "; kappa is of Wilson and clover quarks." : ".";
  if (masses == MassKeys::list)
    return {
        field(&ActionKeys::masses, "masses", "Bare quark masses in lattice units; these or kappas" + other)
            .between(-4, 1000)
            .not_empty()
            .such_as("[0.1666667, 0.05]")
            .without("masses or kappas needed"),
        field(&ActionKeys::kappas, "kappas", "Hopping parameters 1/(2(4 + mass)); these or masses.")
            .between(0, 1000)
            .not_empty()
            .such_as("[0.12, 0.125]")
            .without("masses or kappas needed")
            .show()};
  return {field(&ActionKeys::mass, "mass", "Bare quark mass in lattice units; this or kappa" + other)
              .between(-4, 1000)
              .such_as("0.1666667")
              .without("mass or kappa needed"),
          field(&ActionKeys::kappa, "kappa", "Hopping parameter 1/(2(4 + mass)); this or mass.")
              .between(0, 1000)
              .such_as("0.12")
              .without("mass or kappa needed")
              .show()};
}

std::vector<Key> staggered_keys() {
  return {choice(&ActionKeys::mass_convention, "mass_convention",
                 "Staggered quarks: milc, M = mass + D/2; or doubled, M = (mass + D)/2, so that mass is "
                 "twice MILC's. Results are those of the same M.",
                 Names<MassConvention>(mass_convention_names))
              .such_as("\"milc\"")
              .without("milc"),
          field(&ActionKeys::u0, "u0", "Asqtad: the tadpole factor by which its links are improved.")
              .between(0, 1000)
              .such_as("0.8677")
              .without("1")};
}

std::vector<Key> domain_wall_keys() {
  return {choice(&ActionKeys::variant, "variant",
                 "Domain wall: weights omega_s, sigma_s of the slices: shamir (1, 0), borici (1, 1), moebius "
                 "(b5, c5), optimal (both Zolotarev's, for the spectrum of the kernel).",
                 Names<WallKind>(wall_kind_names))
              .such_as("\"moebius\"")
              .without("shamir"),
          field(&ActionKeys::n_s, "n_s", "Domain wall: extent of the fifth dimension.")
              .within(1, ActiveSet::capacity)
              .such_as("12")
              .without("needed for domain_wall"),
          field(&ActionKeys::m0, "m0", "Domain wall: height of the wall; the kernel is D_w of mass -m0.")
              .between(0, 2)
              .such_as("1.8")
              .without("1.8"),
          field(&ActionKeys::b5, "b5", "Moebius: omega of all slices.")
              .between(0, 1000)
              .such_as("1.5")
              .without("needed for moebius"),
          field(&ActionKeys::c5, "c5", "Moebius: sigma of all slices.")
              .between(-1000, 1000)
              .such_as("0.5")
              .without("needed for moebius"),
          field(&ActionKeys::bounds, "bounds",
                "Optimal weights: bounds of the spectrum of |H_w|, the smallest and the largest.")
              .between(0, 1000)
              .such_as("[0.05, 6.2]")
              .without("measured on each gauge field")};
}

Key type_key(Actions actions) {
  if (actions == Actions::wilson)
    return choice(&ActionKeys::type, "type", "Discretisation: Wilson, or Wilson with a clover term.",
                  {{"wilson", ActionType::wilson}, {"clover", ActionType::clover}});
  return choice(&ActionKeys::type, "type",
                "Discretisation: Wilson, Wilson with a clover term, staggered with one link or improved "
                "(asqtad, from the thin links), domain wall.",
                Names<ActionType>(action_type_names));
}

std::vector<Key> wilson_keys() {
  return {
      field(&ActionKeys::c_sw, "c_sw", "Coefficient of the clover term (tree level: 1).")
          .within(0, 1000)
          .such_as("1.0")
          .without("needed for clover, or c_r and c_t"),
      field(&ActionKeys::c_r, "c_r",
            "Of the clover term of an anisotropic action: planes in space have the coefficient c_r/xi ...")
          .within(0, 1000)
          .such_as("0.91")
          .without("c_sw"),
      field(&ActionKeys::c_t, "c_t", "... and planes with time c_t.")
          .within(0, 1000)
          .such_as("1.07")
          .without("c_sw"),
      field(&ActionKeys::xi, "xi", "Anisotropy a_s/a_t of the lattice.").between(0, 1000),
      field(&ActionKeys::nu, "nu", "Coefficient of the spatial hops of an anisotropic action.")
          .between(0, 1000)};
}

}  // namespace

Table action_table(MassKeys masses, Actions actions) {
  const bool all = actions == Actions::all;
  return {"action", "The Dirac operator.",
          joined<Key>({{type_key(actions)},
                       mass_keys(masses, actions),
                       wilson_keys(),
                       all ? staggered_keys() : std::vector<Key>{},
                       all ? domain_wall_keys() : std::vector<Key>{},
                       {field(&ActionKeys::boundary, "boundary",
                              "Sign of the quark field around the lattice in x, y, z, t: 1 or -1.")
                            .within(-1, 1)}})};
}

}  // namespace plaq::jobs

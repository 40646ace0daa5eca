#include "jobs/dirac/action_schema.hpp"

#include "core/operator/active_set.hpp"

namespace plaq::jobs {
namespace {

std::vector<Key> mass_keys(MassKeys masses, Actions actions) {
  const std::string other = actions == Actions::all ? "; kappa is of Wilson and clover quarks." : ".";
  if (masses == MassKeys::list)
    return {key::reals("masses", "Bare quark masses in lattice units; these or kappas" + other)
                .between(-4, 1000)
                .not_empty()
                .such_as("[0.1666667, 0.05]")
                .without("masses or kappas needed"),
            key::reals("kappas", "Hopping parameters 1/(2(4 + mass)); these or masses.")
                .between(0, 1000)
                .not_empty()
                .such_as("[0.12, 0.125]")
                .without("masses or kappas needed")
                .show()};
  return {key::real("mass", "Bare quark mass in lattice units; this or kappa" + other)
              .between(-4, 1000)
              .such_as("0.1666667")
              .without("mass or kappa needed"),
          key::real("kappa", "Hopping parameter 1/(2(4 + mass)); this or mass.")
              .between(0, 1000)
              .such_as("0.12")
              .without("mass or kappa needed")
              .show()};
}

std::vector<Key> staggered_keys() {
  return {key::string("mass_convention",
                      "Staggered quarks: milc, M = mass + D/2; or doubled, M = (mass + D)/2, so that mass is "
                      "twice MILC's. Results are those of the same M.")
              .one_of({"milc", "doubled"})
              .such_as("\"milc\"")
              .without("milc"),
          key::real("u0", "Asqtad: the tadpole factor by which its links are improved.")
              .between(0, 1000)
              .such_as("0.8677")
              .without("1")};
}

std::vector<Key> domain_wall_keys() {
  return {
      key::string("variant",
                  "Domain wall: weights omega_s, sigma_s of the slices: shamir (1, 0), borici (1, 1), "
                  "moebius (b5, c5), optimal (both Zolotarev's, for the spectrum of the kernel).")
          .one_of({"shamir", "borici", "moebius", "optimal"})
          .such_as("\"moebius\"")
          .without("shamir"),
      key::integer("n_s", "Domain wall: extent of the fifth dimension.")
          .within(1, ActiveSet::capacity)
          .such_as("12")
          .without("needed for domain_wall"),
      key::real("m0", "Domain wall: height of the wall; the kernel is D_w of mass -m0.")
          .between(0, 2)
          .such_as("1.8")
          .without("1.8"),
      key::real("b5", "Moebius: omega of all slices.")
          .between(0, 1000)
          .such_as("1.5")
          .without("needed for moebius"),
      key::real("c5", "Moebius: sigma of all slices.")
          .between(-1000, 1000)
          .such_as("0.5")
          .without("needed for moebius"),
      key::reals("bounds", "Optimal weights: bounds of the spectrum of |H_w|, the smallest and the largest.")
          .of_length(2)
          .between(0, 1000)
          .such_as("[0.05, 6.2]")
          .without("measured on each gauge field")};
}

void append(std::vector<Key>& to, std::vector<Key> from) { to.insert(to.end(), from.begin(), from.end()); }

Key type_key(Actions actions) {
  if (actions == Actions::wilson)
    return key::string("type", "Discretisation: Wilson, or Wilson with a clover term.")
        .one_of({"wilson", "clover"})
        .otherwise("wilson");
  return key::string("type",
                     "Discretisation: Wilson, Wilson with a clover term, staggered with one link or improved "
                     "(asqtad, from the thin links), domain wall.")
      .one_of({"wilson", "clover", "staggered", "asqtad", "domain_wall"})
      .otherwise("wilson");
}

}  // namespace

Table action_table(MassKeys masses, Actions actions) {
  Table table = {"action", "The Dirac operator.", {type_key(actions)}};
  append(table.keys, mass_keys(masses, actions));
  append(table.keys,
         {key::real("c_sw", "Coefficient of the clover term (tree level: 1).")
              .within(0, 1000)
              .such_as("1.0")
              .without("needed for clover, or c_r and c_t"),
          key::real("c_r",
                    "Of the clover term of an anisotropic action: planes in space have the coefficient "
                    "c_r/xi ...")
              .within(0, 1000)
              .such_as("0.91")
              .without("c_sw"),
          key::real("c_t", "... and planes with time c_t.").within(0, 1000).such_as("1.07").without("c_sw"),
          key::real("xi", "Anisotropy a_s/a_t of the lattice.").between(0, 1000).otherwise(1.0),
          key::real("nu", "Coefficient of the spatial hops of an anisotropic action.")
              .between(0, 1000)
              .otherwise(1.0)});
  if (actions == Actions::all) {
    append(table.keys, staggered_keys());
    append(table.keys, domain_wall_keys());
  }
  table.keys.push_back(
      key::integers("boundary", "Sign of the quark field around the lattice in x, y, z, t: 1 or -1.")
          .of_length(4)
          .within(-1, 1)
          .otherwise(std::vector<std::int64_t>{1, 1, 1, -1}));
  return table;
}

}  // namespace plaq::jobs

#include "jobs/run/link_smearing.hpp"

#include "core/system/dry_run.hpp"
#include "kernels/gauge/smearing.hpp"

namespace plaq::jobs {

Table link_smearing_table(const std::string& use) {
  return {
      "link_smearing",
      "Smearing of the links " + use + ".",
      {key::string("type",
                   "Kind of smearing: APE (Albanese et al. 1987) or stout (Morningstar, Peardon 2004).")
           .one_of({"none", "ape", "stout"})
           .otherwise("none"),
       key::integer("steps", "Times that it is applied.").within(0, 100000).otherwise(1),
       key::real("alpha",
                 "APE: share of the staples, (1 - alpha) U + (alpha / number of staples) * their sum.")
           .within(0, 1)
           .otherwise(0.5),
       key::real("rho", "Stout: weight of the staples.").within(0, 1).otherwise(0.1),
       key::flag("spatial", "Smear links in space alone, with staples in space alone.").otherwise(false)}};
}

bool smears_links(const JobFile& job) {
  return job.string("link_smearing", "type") != "none" && job.integer("link_smearing", "steps") > 0;
}

void smear_links(const JobContext& context, Field& gauge) {
  const JobFile& job = context.job;
  if (!smears_links(job)) return;
  const Phase phase("smearing links");
  const auto steps = static_cast<int>(job.integer("link_smearing", "steps"));
  const bool spatial = job.flag("link_smearing", "spatial");
  LinkSmearing smearing(*context.grid, gauge, context.transport);
  if (job.string("link_smearing", "type") == "ape") {
    smearing.apply(gauge, ApeSmearing{job.real("link_smearing", "alpha"), spatial}, steps, context.queue);
  } else {
    smearing.apply(gauge, StoutSmearing{job.real("link_smearing", "rho"), spatial}, steps, context.queue);
  }
}

}  // namespace plaq::jobs

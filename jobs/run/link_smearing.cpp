#include "jobs/run/link_smearing.hpp"

#include "core/system/dry_run.hpp"
#include "jobs/schema/field.hpp"
#include "kernels/gauge/smearing.hpp"

namespace plaq::jobs {
namespace {

enum class LinkSmearingKind { none, ape, stout };

struct LinkSmearingKeys {
  LinkSmearingKind type = LinkSmearingKind::none;
  int steps = 1;
  double alpha = 0.5, rho = 0.1;
  bool spatial = false;
};

}  // namespace

Table link_smearing_table(const std::string& use) {
  using Kind = LinkSmearingKind;
  return {"link_smearing",
          "Smearing of the links " + use + ".",
          {choice(&LinkSmearingKeys::type, "type",
                  "Kind of smearing: APE (Albanese et al. 1987) or stout (Morningstar, Peardon 2004).",
                  {{"none", Kind::none}, {"ape", Kind::ape}, {"stout", Kind::stout}}),
           field(&LinkSmearingKeys::steps, "steps", "Times that it is applied.").within(0, 100000),
           field(&LinkSmearingKeys::alpha, "alpha",
                 "APE: share of the staples, (1 - alpha) U + (alpha / number of staples) * their sum.")
               .within(0, 1),
           field(&LinkSmearingKeys::rho, "rho", "Stout: weight of the staples.").within(0, 1),
           field(&LinkSmearingKeys::spatial, "spatial",
                 "Smear links in space alone, with staples in space alone.")}};
}

bool smears_links(const JobFile& job) {
  const auto keys = job.get<LinkSmearingKeys>();
  return keys.type != LinkSmearingKind::none && keys.steps > 0;
}

void smear_links(const JobContext& context, Field& gauge) {
  if (!smears_links(context.job)) return;
  const Phase phase("smearing links");
  const auto keys = context.job.get<LinkSmearingKeys>();
  LinkSmearing smearing(*context.grid, gauge, context.transport);
  if (keys.type == LinkSmearingKind::ape) {
    smearing.apply(gauge, ApeSmearing{keys.alpha, keys.spatial}, keys.steps, context.queue);
  } else {
    smearing.apply(gauge, StoutSmearing{keys.rho, keys.spatial}, keys.steps, context.queue);
  }
}

}  // namespace plaq::jobs

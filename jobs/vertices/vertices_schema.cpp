// vertices: quark bilinears between quarks of given momenta.
#include <fmt/format.h>

#include <set>

#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "jobs/vertices/vertex_keys.hpp"
#include "settings/action/action_table.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/lattice/lattice_tables.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

void check_vertex_quarks(Problems& problems, const VertexKeys&, const Settings& job) {
  const ActionPtr action = action_of_any_mass(job);
  if (action->spins() == 1)
    problems.add("action.type", "vertices are of quarks with spin, not of staggered ones");
  else if (!action->gamma5_hermitian())
    problems.add("action.twisted_mass",
                 "vertices need quarks whose M is gamma5-hermitian; leave twisted_mass out");
  if (job.get<ActionKeys>().boundary[3] == 0)
    problems.add("action.boundary", "quarks of Dirichlet boundaries have no momentum in time; take 1 or -1");
}

void check_vertex_momenta(Problems& problems, const VertexKeys& keys, const ActionKeys& action,
                          const LatticeKeys& lattice) {
  std::set<std::string> found;
  for (const std::string& text : keys.momenta) {
    const auto momenta = vertex_momenta(text);
    if (!momenta) {
      problems.add("vertices.momenta",
                   fmt::format("\"{}\" is neither a momentum such as \"1,1,0,0\" nor two of them such as "
                               "\"1,1,0,0 -> 0,1,1,0\"",
                               text));
      continue;
    }
    if (!found.insert(text).second)
      problems.add("vertices.momenta", fmt::format("\"{}\" is there twice", text));
    if (!lattice.extents) continue;
    for (const Momentum4& n : {momenta->in, momenta->out})
      if (const auto wrong = validate_momentum(n, half_momenta(action.boundary), *lattice.extents)) {
        problems.add("vertices.momenta", fmt::format("\"{}\": {}", text, *wrong));
        break;
      }
  }
}

Table vertices_table() {
  return {"vertices",
          "The vertices of quark bilinears with all 16 Gamma on gauge fields in Landau gauge.",
          {field(&VertexKeys::momenta, "momenta",
                 "Momenta of the quarks: integers n in x, y, z, t of p = 2 pi n / L, where [action] boundary "
                 "is -1 of p = 2 pi (n + 1/2) / L. \"1,1,0,0 -> 0,1,1,0\": the quark comes in with the first "
                 "one and leaves with the second one, as RI/SMOM wants it where both and their difference "
                 "are as long. \"1,1,1,1\": both quarks have it, RI/MOM. Each momentum takes a solve of 12 "
                 "columns, whose quark field is held while vertices behind need it.")
               .not_empty()
               .need("[\"1,1,0,0 -> 0,1,1,0\", \"1,1,0,0\"]"),
           field(&VertexKeys::max_theta, "max_theta",
                 "Largest theta of Landau gauge (see job type gaugefix) of a field that counts as fixed. A "
                 "field above it ends the job.")
               .between(0, 1),
           field(&VertexKeys::four_quark, "four_quark",
                 "true: also vertices of four-quark operators (sbar Gamma d)(sbar Gamma d), summed over the "
                 "Gamma of S, P, V, A and T, for the renormalisation of B_K and the like. They take no more "
                 "solves.")}};
}

std::vector<Rule> vertices_rules() {
  return joined<Rule>({common_rules(),
                       dirac_rules(),
                       {action_smearing_rule(),
                        {{"vertices.momenta", "action.type", "action.twisted_mass", "action.boundary"},
                         "Vertices need quarks with spin, without a twist and Dirichlet boundaries.",
                         check_vertex_quarks},
                        {{"vertices.momenta", "action.boundary", "lattice.extents"},
                         "Momenta have four integers in the Brillouin zone of the lattice.",
                         check_vertex_momenta},
                        setup_rule()}});
}

}  // namespace

const Schema& vertices_schema() {
  static const Schema schema{
      "vertices",
      "Compute vertices of quark bilinears between quarks of given momenta in Landau gauge, for "
      "renormalisation by RI/MOM and RI/SMOM.",
      {top_table("vertices"), lattice_table(LatticeFrom::file), gauge_files_table("of measurement"),
       action_table(MassKeys::one, all_discretisations()), action_smearing_table(), vertices_table(),
       solver_table(), multigrid_table(setup_keys(SetupsKept::where_asked)),
       output_table("HDF5 file for the vertices.", "\"vertices.h5\""), comms_table(), run_table(),
       slurm_table()},
      vertices_rules()};
  return schema;
}

}  // namespace plaq::jobs

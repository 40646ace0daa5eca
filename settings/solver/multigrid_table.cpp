#include "settings/solver/solver_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/lattice/geometry.hpp"
#include "multigrid/settings.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {
namespace {

constexpr int least_vectors = 1, most_vectors = 64, most_levels = 6, most_sites_of_block = 6;

std::int64_t volume(const Extents& e) { return std::int64_t{e[0]} * e[1] * e[2] * e[3]; }

// A block as "4x4x4x4".
struct Blocks {
  using Element = Extents;
  using InFile = std::string;
  static std::optional<Extents> read(const std::string& text) {
    const auto block = parse_four(text);
    return block && *std::max_element(block->begin(), block->end()) <= most_sites_of_block ? block
                                                                                           : std::nullopt;
  }
  static std::optional<std::string> write(const Extents& block) { return to_string(block); }
  static std::string fault(const std::string& text) {
    return fmt::format("\"{}\" is no block; such as \"4x4x4x4\", 1 to {} sites in each direction", text,
                       most_sites_of_block);
  }
};

const Names<std::optional<Precision>> storages = {{"auto", std::nullopt},
                                                  {"single", Precision::single_precision},
                                                  {"half", Precision::half_precision},
                                                  {"quarter", Precision::quarter_precision}};

void check_blocks(Problems& problems, const MultigridOptions& options) {
  const std::size_t blocks = options.blocks.size();
  if (static_cast<int>(blocks) > most_levels)
    problems.add("multigrid.blocks",
                 fmt::format("found {} coarse lattices, must be at most {}", blocks, most_levels));
  for (const int n : options.vectors)
    if (n < least_vectors || n > most_vectors)
      problems.add("multigrid.vectors",
                   fmt::format("found {}, must be {} to {}", n, least_vectors, most_vectors));
  if (!options.blocks.empty() && options.coarse_locations.size() > blocks)
    problems.add("multigrid.coarse_locations",
                 fmt::format("found {} locations, must be one for each of the {} coarse lattices",
                             options.coarse_locations.size(), blocks));
  if (options.vectors.size() > 1 && options.vectors.size() != blocks)
    problems.add("multigrid.vectors",
                 fmt::format("found {} numbers for {} blocks; give one for each, or one for all",
                             options.vectors.size(), blocks));
}

// Blocks have as many independent vectors as rows: components of their sites, for each chirality.
void check_rows(Problems& problems, const MultigridOptions& options) {
  const int first = options.vectors.front();
  if (options.candidates != 0 && options.candidates < first)
    problems.add("multigrid.candidates",
                 fmt::format("found {}, fewer than the {} vectors that are chosen from them; 0: no choice",
                             options.candidates, first));
  std::int64_t components = chiral_components;
  const std::vector<Extents>& blocks = options.blocks;
  for (std::size_t level = 0; level < blocks.size(); ++level) {
    const int vectors = options.vectors.size() == blocks.size() ? options.vectors[level] : first;
    const std::int64_t rows = volume(blocks[level]) * components;
    const auto refuse = [&](const char* key, int found) {
      if (found > rows)
        problems.add({"multigrid", key},
                     fmt::format("found {}, but a block {} has {} components of a chirality, and no more "
                                 "vectors are independent",
                                 found, to_string(blocks[level]), rows));
    };
    refuse("vectors", vectors);
    if (level == 0) refuse("candidates", options.candidates);
    if (vectors > rows) return;
    components = vectors;
  }
}

}  // namespace

Table multigrid_table(const std::vector<Key>& more) {
  using Options = MultigridOptions;
  Table table = {
      "multigrid",
      "The multigrid preconditioner, if [solver] asks for it. No key of this table is needed.",
      {field(&Options::blocks, "blocks",
             "Block of sites that becomes one site of the next coarse lattice, one block for each coarse "
             "lattice, the finest first. If the blocks do not divide the lattice of a rank, multigrid runs "
             "on fewer ranks.",
             Blocks())
           .such_as("[\"4x4x4x4\", \"2x2x2x2\"]")
           .without("blocks near 4x4x4x4, then 2x2x2x2 until the last lattice is small"),
       field(&Options::vectors, "vectors",
             "Number of near-null vectors: one number for all lattices, or one for each block. More vectors "
             "need more memory and setup time, and fewer iterations.")
           .not_empty(),
       field(&Options::candidates, "candidates",
             "Number of near-null vectors that are computed on the finest lattice. Only the leading singular "
             "vectors of each block are kept. 0: the number that is kept.")
           .within(0, most_vectors),
       choice(&Options::smoother, "smoother",
              "Smoother: a polynomial that the setup fits, or minimal residual steps.",
              {{"polynomial", SmootherKind::polynomial}, {"mr", SmootherKind::minimal_residual}}),
       field(&Options::smoothing_steps, "smoothing_steps",
             "Number of smoothing steps after each coarse correction.")
           .within(1, 64)
           .without("chosen from 2, 4, 6 and 8 if a setup is for 80 solves or more, else 4; domain walls: 8"),
       field(&Options::omega, "omega", "Relaxation parameter of the smoothing steps.").between(0, 2),
       field(&Options::local_smoother, "local_smoother",
             "true: smoothing steps exchange no halos, so that each rank smooths its own sites (additive "
             "Schwarz). On many "
             "ranks a cycle sends fewer messages and the solve takes more iterations. Results then depend on "
             "the "
             "process grid, within the tolerance."),
       field(&Options::coarse_tolerance, "coarse_tolerance",
             "Factor by which a coarse solve within a cycle reduces its residual.")
           .between(0, 1)
           .without("chosen from 0.1, 0.25 and 0.5 if `smoothing_steps` is chosen, else 0.25; domain walls: "
                    "0.001"),
       field(
           &Options::coarse_iterations, "coarse_iterations",
           "Largest number of iterations of a coarse solve within a cycle; domain walls: 32 in place of 16.")
           .within(1, 1000),
       field(&Options::dense_rows, "dense_rows",
             "Largest number of components on the even sites of the coarsest lattice (domain walls: on all "
             "sites) for a dense inverse, on one rank. Larger lattices are solved by iterations. "
             "Domain walls: 8192 on a GPU and 2048 on the host in place of 1024.")
           .within(0, 65536),
       field(&Options::least_sites, "least_sites",
             "Smallest number of sites of a rank on a coarse lattice. With fewer sites, the lattice moves to "
             "fewer ranks. 0: the lattice moves only if its blocks need it.")
           .within(0, 1 << 30),
       choice(&Options::coarse_locations, "coarse_locations",
              "Location of each coarse lattice, the finest first. Lattices without an entry stay at the "
              "location of the lattice above.",
              {{"gpu", Location::device}, {"host", Location::host}})
           .with_repeats()
           .such_as("[\"gpu\", \"host\"]"),
       optional_choice(&Options::precision, "precision",
                       "Precision of vectors and links of the finest lattice within a cycle. auto: half on a "
                       "GPU, single on the host.",
                       {{"auto", std::nullopt},
                        {"single", Precision::single_precision},
                        {"half", Precision::half_precision}}),
       optional_choice(&Options::storage, "storage",
                       "Precision of stored near-null vectors. auto: half on a GPU, single on the host. "
                       "quarter saves memory and needs a few more iterations.",
                       storages),
       optional_choice(&Options::link_storage, "link_storage",
                       "Precision of stored links of coarse lattices. auto: quarter on a GPU, single on the "
                       "host and for domain walls. With quarter, the matrices of sites are in half precision "
                       "(domain walls: all matrices).",
                       storages),
       field(&Options::filter_iterations, "filter_iterations",
             "Number of BiCGstab iterations that turn noise into near-null vectors; domain walls: twelve "
             "times as many of CG on the normal equations.")
           .within(1, 10000),
       field(&Options::rounds, "rounds",
             "Largest number of setup iterations, in which cycles improve the near-null vectors. A setup "
             "stops earlier if another one does not pay. Domain walls have none.")
           .within(0, 100),
       field(&Options::seed, "seed", "Seed of the noise.").at_least(0)}};
  table.keys.insert(table.keys.end(), more.begin(), more.end());
  return table;
}

std::vector<Rule> multigrid_rules() {
  return {{{"multigrid.blocks", "multigrid.vectors", "multigrid.coarse_locations"},
           "Blocks must have 1 to 6 sites in each direction, and 1 to 64 near-null vectors each.",
           check_blocks},
          {{"multigrid.blocks", "multigrid.vectors", "multigrid.candidates"},
           "A block must have at least as many components of a chirality as there are vectors and "
           "candidates. There must not be fewer candidates than vectors.",
           check_rows}};
}

}  // namespace plaq::settings

#include "settings/solver/multigrid_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/lattice/four_numbers.hpp"
#include "multigrid/hierarchy/choose_blocks.hpp"
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
                 fmt::format("{} lattices are too many; at most {}", blocks, most_levels));
  for (const int n : options.vectors)
    if (n < least_vectors || n > most_vectors)
      problems.add("multigrid.vectors",
                   fmt::format("found {}, must be {} to {}", n, least_vectors, most_vectors));
  if (!options.blocks.empty() && options.coarse_locations.size() > blocks)
    problems.add("multigrid.coarse_locations",
                 fmt::format("{} locations for {} coarse lattices", options.coarse_locations.size(), blocks));
  if (options.vectors.size() > 1 && options.vectors.size() != blocks)
    problems.add("multigrid.vectors",
                 fmt::format("{} numbers for {} blocks; give one for each, or one for all",
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
      "The preconditioner multigrid, where [solver] asks for it. It needs none of these keys.",
      {field(&Options::blocks, "blocks",
             "Sites that become one of the next lattice, from the finest lattice on: as many blocks as "
             "there are "
             "coarse lattices. Where they do not divide the sites of a rank, multigrid is on fewer ranks.",
             Blocks())
           .such_as("[\"4x4x4x4\", \"2x2x2x2\"]")
           .without("blocks near 4x4x4x4, then 2x2x2x2 until the last lattice is small"),
       field(&Options::vectors, "vectors",
             "Near-null vectors: one number for all lattices, or one for each block. More of them take "
             "more memory "
             "and setup, and fewer iterations.")
           .not_empty(),
       field(&Options::candidates, "candidates",
             "Near-null vectors of the finest lattice that are made, where only the leading singular "
             "vectors of each block are kept; 0: as many as are kept.")
           .within(0, most_vectors),
       choice(&Options::smoother, "smoother",
              "A polynomial that is fitted when multigrid is set up, or minimal residuals.",
              {{"polynomial", SmootherKind::polynomial}, {"mr", SmootherKind::minimal_residual}}),
       field(&Options::smoothing_steps, "smoothing_steps",
             "Steps of what smooths after each coarse correction.")
           .within(1, 64)
           .without("chosen of 2, 4, 6 and 8 where a setup is for 80 solves or more; else 4"),
       field(&Options::omega, "omega", "Their relaxation.").between(0, 2),
       field(&Options::coarse_tolerance, "coarse_tolerance",
             "By how much a coarse solve within a cycle brings its residual down, ...")
           .between(0, 1)
           .without("chosen of 0.1, 0.25 and 0.5 where `smoothing_steps` are; else 0.25"),
       field(&Options::coarse_iterations, "coarse_iterations", "... in at most so many iterations.")
           .within(1, 1000),
       field(&Options::dense_rows, "dense_rows",
             "The coarsest lattice is solved by a dense inverse where its even sites have no more components "
             "and are on one rank; by iterations where not.")
           .within(0, 65536),
       field(&Options::least_sites, "least_sites",
             "A coarse lattice moves to fewer ranks where one would have fewer sites; 0: it moves only where "
             "its "
             "blocks need it.")
           .within(0, 1 << 30),
       choice(
           &Options::coarse_locations, "coarse_locations",
           "Where each coarse lattice is, the finest first; those that are not named are where the lattice "
           "above them is.",
           {{"gpu", Location::device}, {"host", Location::host}})
           .with_repeats()
           .such_as("[\"gpu\", \"host\"]"),
       optional_choice(
           &Options::precision, "precision",
           "Of vectors and links of the finest lattice within a cycle; auto: half on a GPU, single on "
           "the host.",
           {{"auto", std::nullopt},
            {"single", Precision::single_precision},
            {"half", Precision::half_precision}}),
       optional_choice(
           &Options::storage, "storage",
           "Of near-null vectors; auto: half on a GPU, single on the host. quarter saves memory, and takes "
           "some more iterations.",
           storages),
       optional_choice(
           &Options::link_storage, "link_storage",
           "Of links of coarse lattices; auto: quarter on a GPU, single on the host. With quarter, "
           "matrices of "
           "sites are in half precision.",
           storages),
       field(&Options::filter_iterations, "filter_iterations",
             "Iterations of BiCGstab by which near-null vectors are made of noise.")
           .within(1, 10000),
       field(&Options::rounds, "rounds",
             "Times at most that near-null vectors are improved by cycles of what there is; fewer where "
             "that does not "
             "pay.")
           .within(0, 100),
       field(&Options::seed, "seed", "Key of the noise.").at_least(0)}};
  table.keys.insert(table.keys.end(), more.begin(), more.end());
  return table;
}

std::vector<Rule> multigrid_rules() {
  return {
      {{"multigrid.blocks", "multigrid.vectors", "multigrid.coarse_locations"},
       "Blocks have 1 to 6 sites in each direction, and there are 1 to 64 near-null vectors for each.",
       check_blocks},
      {{"multigrid.blocks", "multigrid.vectors", "multigrid.candidates"},
       "A block has at least as many components of a chirality as vectors and candidates, and there are no "
       "fewer candidates than vectors.",
       check_rows}};
}

}  // namespace plaq::settings

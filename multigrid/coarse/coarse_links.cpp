#include "multigrid/coarse/coarse_links.hpp"

namespace plaq {

Field coarse_links_in(Field links, Precision storage) {
  if (links.precision() == storage) return links;
  Field kept(links.geometry_ptr(),
             coarse_links_spec(links.subfields(), storage, links.location(), stored_parts(links.spec())));
  copy(kept, links);
  return kept;
}

}  // namespace plaq

#include "multigrid/hierarchy/coarse_level.hpp"

#include <utility>

#include "multigrid/coarse/coarse_hat.hpp"
#include "multigrid/coarse/coarse_whole.hpp"

namespace plaq {
namespace {

Field in_storage(Field links, Precision storage) {
  if (links.precision() == storage) return links;
  Field kept(links.geometry_ptr(),
             coarse_links_spec(links.subfields(), storage, links.location(), stored_parts(links.spec())));
  copy(kept, links);
  return kept;
}

}  // namespace

CoarseLevel::CoarseLevel(const ProcessGrid& grid, Field links, bool chiral, Precision storage,
                         const Queue& queue, std::shared_ptr<Transport> transport)
    : grid_(grid),
      precision_(links.precision()),
      storage_(storage),
      chiral_(chiral),
      queue_(queue),
      transport_(std::move(transport)),
      m_(made(std::move(links))) {
  make_reduced(m_->links());
}

// `links` in single or double precision.
void CoarseLevel::make_reduced(const Field& links) {
  if (links.geometry().parities() != 2) return;
  CoarseHat hat = coarse_hat(grid_, links, queue_);
  hat_ = {made(in_storage(std::move(hat.hops), storage_)),
          made(in_storage(std::move(hat.inverse), at_least_half(storage_)))};
}

void CoarseLevel::shift_mass(double change) {
  if (made_ == nullptr) made_ = m_;
  const Field& before = made_->links();
  Field links(before.geometry_ptr(), coarse_links_spec(before.subfields(), precision_, before.location()));
  copy(links, before);
  shift_sites(links, change, queue_);
  queue_.synchronize();
  make_reduced(links);
  m_ = made(in_storage(std::move(links), before.precision()));
}

void CoarseLevel::release_setup_data() {
  for (auto* m : {&made_, &m_})
    if (*m != nullptr && (*m)->links().precision() != at_least_half(storage_))
      *m = made(in_storage((*m)->links(), at_least_half(storage_)));
}

std::shared_ptr<CoarseOperator> CoarseLevel::made(Field links) const {
  return std::make_shared<CoarseOperator>(grid_, std::move(links), precision_, chiral_, queue_, transport_);
}

std::unique_ptr<SchurOperator> CoarseLevel::reduced(int batch) {
  if (hat_.hops == nullptr) return std::make_unique<CoarseWhole>(m_);
  return std::make_unique<CoarseSchur>(m_, hat_, 0, batch);
}

}  // namespace plaq

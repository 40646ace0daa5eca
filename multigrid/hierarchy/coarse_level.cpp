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
  hat_ = made_hat(m_->links());
}

// `links` in single or double precision.
CoarseSchur::Hat CoarseLevel::made_hat(const Field& links, const Field* sites) const {
  if (links.geometry().parities() != 2) return {};
  CoarseHat hat = coarse_hat(grid_, links, queue_, sites);
  return {made(in_storage(std::move(hat.hops), storage_)),
          made(in_storage(std::move(hat.inverse), at_least_half(storage_)))};
}

Field CoarseLevel::wide(const Field& links) const {
  Field copied(links.geometry_ptr(), coarse_links_spec(links.subfields(), precision_, links.location()));
  copy(copied, links);
  return copied;
}

void CoarseLevel::shift_mass(double change) {
  twist_ = {};
  twisted_.clear();
  if (made_ == nullptr) made_ = m_;
  const Field& before = made_->links();
  Field links = wide(before);
  shift_sites(links, change, queue_);
  queue_.synchronize();
  hat_ = made_hat(links);
  m_ = made(in_storage(std::move(links), before.precision()));
}

void CoarseLevel::set_even_share(Field share) { even_share_ = made(std::move(share)); }

void CoarseLevel::set_twist(const Twist& twist) {
  if (twist != Twist() && twisted_.find(twist) == twisted_.end()) twisted_.emplace(twist, twisted(twist));
  twist_ = twist;
}

CoarseLevel::Form CoarseLevel::twisted(const Twist& twist) const {
  require(even_share_ != nullptr || twist.even == twist.odd,
          "a twist of one parity on a coarse lattice that does not know its share of even sites");
  const Field* share = even_share_ != nullptr ? &even_share_->links() : nullptr;
  const Field& base = m_->links();
  const Precision kept = at_least_half(base.precision());
  const Field converted = base.precision() == precision_ ? Field() : wide(base);
  const Field& links = converted ? converted : base;
  if (hat_.hops == nullptr) {
    Field all = wide(links);
    twist_sites(all, links, share, twist, queue_);
    queue_.synchronize();
    return {made(in_storage(std::move(all), kept))};
  }
  Field sites(base.geometry_ptr(),
              coarse_links_spec(base.subfields(), precision_, base.location(), coarse_site_alone));
  twist_sites(sites, links, share, twist, queue_);
  queue_.synchronize();
  CoarseSchur::Hat hat = made_hat(links, &sites);
  return {made(in_storage(std::move(sites), kept)), std::move(hat)};
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
  const auto found = twisted_.find(twist_);
  const bool is_twisted = found != twisted_.end();
  const Form form = is_twisted ? found->second : Form{m_, hat_};
  if (form.hat.hops == nullptr) return std::make_unique<CoarseWhole>(form.m, !is_twisted);
  return std::make_unique<CoarseSchur>(form.m, form.hat, 0, batch, !is_twisted);
}

}  // namespace plaq

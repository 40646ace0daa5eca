#include "multigrid/hierarchy/chiral_level.hpp"

#include <utility>
#include <vector>

#include "core/system/timer.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "multigrid/coarse/coarse_hat.hpp"
#include "multigrid/coarse/coarse_whole.hpp"

namespace plaq {

ChiralLevel::ChiralLevel(const ProcessGrid& grid, Field links, bool chiral, Precision storage,
                         const Queue& queue, std::shared_ptr<Transport> transport, const Twist& twist)
    : grid_(grid),
      precision_(links.precision()),
      storage_(storage),
      chiral_(chiral),
      queue_(queue),
      transport_(std::move(transport)),
      m_(made(std::move(links))) {
  const ScopedRange range("coarse level");
  set_twist(twist);
}

// `links` in single or double precision.
CoarseSchur::Hat ChiralLevel::made_hat(const Field& links, const Field* sites) const {
  if (links.geometry().parities() != 2) return {};
  CoarseHat hat = coarse_hat(grid_, links, queue_, sites);
  return {made(coarse_links_in(std::move(hat.hops), storage_)),
          made(coarse_links_in(std::move(hat.inverse), at_least_half(storage_)))};
}

Field ChiralLevel::wide(const Field& links) const {
  Field copied(links.geometry_ptr(), coarse_links_spec(links.subfields(), precision_, links.location()));
  copy(copied, links);
  return copied;
}

void ChiralLevel::shift_mass(double change, const Twist& twist) {
  forms_.clear();
  if (made_ == nullptr) made_ = m_;
  const Field& before = made_->links();
  Field links = wide(before);
  shift_sites(links, change, queue_);
  queue_.synchronize();
  m_ = made(std::move(links));
  set_twist(twist);
  if (before.precision() == precision_) return;
  m_ = made(coarse_links_in(m_->links(), before.precision()));
  auto& kept = forms_.at(twist).m;
  kept = twist == Twist() ? m_ : made(coarse_links_in(kept->links(), before.precision()));
}

void ChiralLevel::set_even_share(Field share) { even_share_ = made(std::move(share)); }

void ChiralLevel::set_twist(const Twist& twist) {
  if (forms_.find(twist) == forms_.end()) {
    const ScopedRange range("coarse form");
    forms_.emplace(twist, form_of(twist));
  }
  twist_ = twist;
}

ChiralLevel::Form ChiralLevel::form_of(const Twist& twist) const {
  require(even_share_ != nullptr || twist.even == twist.odd,
          "a twist of one parity on a coarse lattice that does not know its share of even sites");
  const Field* share = even_share_ != nullptr ? &even_share_->links() : nullptr;
  const Field& base = m_->links();
  const Precision kept = at_least_half(base.precision());
  const Field converted = base.precision() == precision_ ? Field() : wide(base);
  const Field& links = converted ? converted : base;
  if (twist == Twist()) return {m_, made_hat(links)};
  if (base.geometry().parities() != 2) {
    Field all = wide(links);
    twist_sites(all, links, share, twist, queue_);
    queue_.synchronize();
    return {made(coarse_links_in(std::move(all), kept))};
  }
  Field sites(base.geometry_ptr(),
              coarse_links_spec(base.subfields(), precision_, base.location(), coarse_site_alone));
  twist_sites(sites, links, share, twist, queue_);
  queue_.synchronize();
  CoarseSchur::Hat hat = made_hat(links, &sites);
  return {made(coarse_links_in(std::move(sites), kept)), std::move(hat)};
}

void ChiralLevel::apply(Field& out, const Field& in) {
  const Form& form = forms_.at(twist_);
  if (twist_ == Twist() || form.hat.hops == nullptr) return form.m->apply(out, in);
  const ActiveSet all(in.batch());
  Field sites(in.geometry_ptr(), in.spec());
  for (int parity = 0; parity < 2; ++parity) {
    m_->apply_parity(out, in, parity, coarse_hops_alone, false, all);
    form.m->apply_parity(sites, in, parity, coarse_site_alone, false, all);
  }
  blas::Workspace workspace(queue_, in.batch());
  blas::update<blas::Axpby>(
      workspace, std::vector<blas::Coefficients>(static_cast<std::size_t>(in.batch()), {1, {1, 0, 1, 0}}),
      {&sites, &out});
  queue_.synchronize();
}

void ChiralLevel::release_setup_data() {
  const auto release = [this](std::shared_ptr<CoarseOperator>& m) {
    if (m != nullptr && m->links().precision() != at_least_half(storage_))
      m = made(coarse_links_in(m->links(), at_least_half(storage_)));
  };
  release(made_);
  release(m_);
  for (auto& [twist, form] : forms_) {
    if (twist == Twist()) form.m = m_;
    release(form.m);
  }
}

std::shared_ptr<CoarseOperator> ChiralLevel::made(Field links) const {
  return std::make_shared<CoarseOperator>(grid_, std::move(links), precision_, chiral_, queue_, transport_);
}

std::unique_ptr<SchurOperator> ChiralLevel::reduced(int batch) {
  const Form& form = forms_.at(twist_);
  const bool is_twisted = twist_ != Twist();
  if (form.hat.hops == nullptr) return std::make_unique<CoarseWhole>(form.m, !is_twisted);
  return std::make_unique<CoarseSchur>(form.m, form.hat, 0, batch, !is_twisted);
}

}  // namespace plaq

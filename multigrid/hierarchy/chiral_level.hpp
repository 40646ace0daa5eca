// A coarse operator that keeps chirality, with its even-odd form.
#pragma once

#include <map>

#include "kernels/dirac/twist/twist.hpp"
#include "multigrid/coarse/coarse_schur.hpp"
#include "multigrid/hierarchy/coarse_level.hpp"

namespace plaq {

class ChiralLevel final : public CoarseLevel {
 public:
  // `links`: of a coarse operator in single or double precision; hops of the even-odd form are kept in
  // `storage`, matrices of sites too, but in half precision at least.
  // `twist`: the one that reduced() begins with, equal on both parities.
  // Collective. Throws where the matrix of a site is singular.
  ChiralLevel(const ProcessGrid& grid, Field links, bool chiral, Precision storage, const Queue& queue,
              std::shared_ptr<Transport> transport, const Twist& twist = {});
  // The links, too, are then kept in `storage`, but at least in half precision.
  void release_setup_data() override;
  // Changes the mass by `change` from that which M was made with: M is M as made, plus `change`, since
  // P^dagger P = 1, but for dropped near-null vectors, which stay out. X^-1 and X^-1 Y are made again. Exact
  // but for the rounding of V and, after release_setup_data(), of links. On levels further down it holds if
  // the one above has dropped no vectors. Changes do not add up, nor does their rounding: the links as they
  // were made are kept. Collective; throws as the constructor does. What was made of the level before is not
  // affected. `twist`: as in the constructor.
  void shift_mass(double change, const Twist& twist = {}) override;

  void set_even_share(Field share) override;
  CoarseOperator& even_share() override { return *even_share_; }
  // The matrices of each twist are kept until shift_mass(). Twists that differ between the parities need
  // set_even_share() before. They have no adjoint. Exact as shift_mass() is. Collective; throws as the
  // constructor does, and then changes nothing.
  void set_twist(const Twist& twist) override;
  Twist twist() const override { return twist_; }
  void apply(Field& out, const Field& in) override;

  const ProcessGrid& grid() const override { return grid_; }
  const std::shared_ptr<Transport>& transport() const override { return transport_; }
  CoarseOperator& full() override { return *m_; }
  std::unique_ptr<SchurOperator> reduced(int batch) override;

 private:
  // M with a twist, which has the sites alone where there is an even-odd form, and this form; null without a
  // checkerboard.
  struct Form {
    std::shared_ptr<CoarseOperator> m;
    CoarseSchur::Hat hat = {};
  };

  std::shared_ptr<CoarseOperator> made(Field links) const;
  CoarseSchur::Hat made_hat(const Field& links, const Field* sites = nullptr) const;
  Form form_of(const Twist& twist) const;
  // A copy in the precision of vectors.
  Field wide(const Field& links) const;

  const ProcessGrid& grid_;
  Precision precision_, storage_;  // of vectors and links
  bool chiral_;
  Queue queue_;
  std::shared_ptr<Transport> transport_;
  std::shared_ptr<CoarseOperator> m_;
  std::shared_ptr<CoarseOperator> made_;        // M as it was made, where its mass has changed
  std::shared_ptr<CoarseOperator> even_share_;  // null: there is none yet
  std::map<Twist, Form> forms_;
  Twist twist_;
};

}  // namespace plaq

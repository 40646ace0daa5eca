// A coarse operator with its even-odd form.
#pragma once

#include "multigrid/coarse/coarse_operator.hpp"
#include "multigrid/hierarchy/level_operators.hpp"

namespace plaq {

class CoarseLevel final : public LevelOperators {
 public:
  // `links`: of a coarse operator in single or double precision; those of the even-odd form are kept in `storage`.
  // Collective. Throws where the matrix of a site is singular.
  CoarseLevel(const ProcessGrid& grid, Field links, bool chiral, Precision storage, const Queue& queue,
              std::shared_ptr<Transport> transport);
  // Keeps the links in `storage`, too. What was made of the level before is not affected.
  void settle();

  const ProcessGrid& grid() const override { return grid_; }
  const std::shared_ptr<Transport>& transport() const override { return transport_; }
  CoarseOperator& full() override { return *m_; }
  std::unique_ptr<SchurOperator> reduced(int batch) override;

 private:
  std::shared_ptr<CoarseOperator> made(Field links) const;

  const ProcessGrid& grid_;
  Precision precision_, storage_;  // of vectors and links
  bool chiral_;
  Queue queue_;
  std::shared_ptr<Transport> transport_;
  std::shared_ptr<CoarseOperator> m_, hat_;  // hat_: null without a checkerboard
};

}  // namespace plaq

// HISQ links of a chain: derivatives of functions of fat and long links, and what quarks share.
#include "dynamics/quark/hisq_chain.hpp"

#include "core/system/error.hpp"
#include "kernels/gauge/update.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/support/error_of.hpp"

namespace plaq::hisq_chain_test {
namespace {

using test::LatticeAlone;
constexpr auto wide = Precision::double_precision;

// Any matrices of links, independent normal numbers.
Field random_matrices(const LatticeAlone& alone, unsigned seed) {
  reference::Generator generator(seed);
  const auto matrices = reference::random_matrices({alone.geometry->global()}, generator);
  return test::to_plaq(matrices, alone.geometry, wide, alone.lattice.location());
}

// Sum over links of Re tr(L A).
double traces(const Field& links, const Field& a) {
  const auto l = test::to_reference(links), m = test::to_reference(a);
  double sum = 0;
  for (std::size_t x = 0; x < l.link.size(); ++x)
    for (int mu = 0; mu < 4; ++mu) sum += trace(l.link[x][mu] * m.link[x][mu]).real();
  return sum;
}

// S = sum over links of Re tr(F A), for each epsilon, and of Re tr(N B).
class LinkFunction final : public Monomial {
 public:
  LinkFunction(const LatticeAlone& alone, std::shared_ptr<HisqChain> chain, std::vector<double> epsilons)
      : chain_(std::move(chain)), epsilons_(std::move(epsilons)), b_(random_matrices(alone, 7)) {
    for (std::size_t k = 0; k < epsilons_.size(); ++k)
      a_.push_back(random_matrices(alone, static_cast<unsigned>(8 + k)));
  }
  std::string name() const override { return "function of links"; }
  int halo_depth() const override { return HisqChain::halo_depth; }
  double value(const Field& links) override {
    chain_->update(links);
    double sum = traces(chain_->naik(), b_);
    for (std::size_t k = 0; k < a_.size(); ++k) sum += traces(chain_->fat(epsilons_[k]), a_[k]);
    return sum;
  }
  void force(Field& force, const Field& links) override {
    chain_->update(links);
    chain_->begin_force();
    copy(chain_->naik_gradient(), b_);
    for (std::size_t k = 0; k < a_.size(); ++k) copy(chain_->fat_gradient(epsilons_[k]), a_[k]);
    chain_->finish_force(force, links);
  }

 private:
  std::shared_ptr<HisqChain> chain_;
  std::vector<double> epsilons_;
  std::vector<Field> a_;
  Field b_;
};

TEST(HisqChain, ForceIsTheDerivative) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations())
    for (const Extents& extents : {Extents{4, 4, 4, 4}, Extents{2, 4, 6, 4}, Extents{2, 2, 2, 2}}) {
      const LatticeAlone alone(extents, location);
      const auto chain = std::make_shared<HisqChain>(alone.lattice, std::vector<double>{0.2, -0.3, 0.2});
      for (const std::vector<double>& epsilons : {std::vector<double>{-0.3, 0.2}, {0.2}}) {
        LinkFunction function(alone, chain, epsilons);
        test::expect_derivative(alone, function, alone.weak_links(0.2), 1e-9);
      }
      EXPECT_EQ(chain->take_filtered(), 0);
    }
}

TEST(HisqChain, MakesLinksOnceForEachVersion) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({2, 2, 2, 2});
  HisqChain chain(alone.lattice, {0});
  PhaseSpace space(alone.lattice, alone.weak_links(0.3), HisqChain::halo_depth);
  chain.update(space.links());
  const auto version = chain.fat(0).version();
  chain.update(space.links());
  EXPECT_EQ(chain.fat(0).version(), version);
  Field force(space.momenta().geometry_ptr(), space.momenta().spec());
  space.set_links(alone.weak_links(0.2));
  chain.begin_force();
  test::expect_error(ErrorKind::internal, "those of other links",
                     [&] { chain.finish_force(force, space.links()); });
  chain.update(space.links());
  EXPECT_NE(chain.fat(0).version(), version);
  test::expect_error(ErrorKind::internal, "epsilon", [&] { chain.fat(0.1); });
}

TEST(HisqChain, HasNoLinksBeforeTheyAreMade) {
  const LatticeAlone alone({2, 2, 2, 2});
  HisqChain chain(alone.lattice, {0});
  EXPECT_EQ(chain.take_filtered(), 0);
  test::expect_error(ErrorKind::internal, "before they are made", [&] { chain.naik(); });
}

}  // namespace
}  // namespace plaq::hisq_chain_test

// Links of sea quarks, and what several quarks share that act on them.
#pragma once

#include <memory>

#include "dynamics/quark/link_copies.hpp"
#include "dynamics/quark/smeared_links.hpp"

namespace plaq {

class HisqChain;    // dynamics/quark/hisq_chain.hpp
struct FirstSetup;  // dynamics/quark/trajectory_setup.hpp

/// Links that quarks act on.
struct QuarkLinks {
  /// Smeared links, which several quarks may share; none: the links of the chain.
  std::shared_ptr<SmearedLinks> smeared = {};
  /// Smeared links are those of the hops alone, and the clover term has the links of the chain: the SLiNC
  /// action, Cundy et al., Phys. Rev. D 79 (2009) 094507.
  bool thin_clover = false;
  /// Fat and long links of HISQ quarks, which several quarks may share; none: other quarks.
  std::shared_ptr<HisqChain> hisq = {};
  double epsilon = 0;  ///< of HISQ quarks
  /// Copies that several quarks may share; none: own ones.
  std::shared_ptr<LinkCopies> copies = {};
  /// Multigrid setups that quarks of several masses share; none: a quark has its own.
  std::shared_ptr<FirstSetup> setup = {};

  /// Links of the hops, for these links of the chain. Collective.
  const Field& of_hops(const Field& links) const { return smeared ? smeared->of(links) : links; }
};

}  // namespace plaq

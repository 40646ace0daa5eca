#include "plaq/expect_site.hpp"

#include "core/system/error.hpp"

namespace plaq {

std::string text_of_site(const Extents& site) {
  std::string text;
  for (const int x : site) text += (text.empty() ? "(" : ", ") + std::to_string(x);
  return text + ")";
}

void expect_site(const Lattice& lattice, const Extents& site) {
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (site[mu] < 0 || site[mu] >= lattice.extents()[mu])
      throw Error(ErrorKind::usage,
                  "source " + text_of_site(site) + " is outside the lattice " + to_string(lattice.extents()));
}

}  // namespace plaq

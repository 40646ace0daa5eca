#include "tests/reference/gamma.hpp"

#include <stdexcept>

namespace plaq::reference {

SpinMatrix gamma(int mu) {
  const Complex i(0.0, 1.0);
  switch (mu) {
    case 0:
      return {{{{0, 0, 0, i},  //
                {0, 0, i, 0},
                {0, -i, 0, 0},
                {-i, 0, 0, 0}}}};
    case 1:
      return {{{{0, 0, 0, -1},  //
                {0, 0, 1, 0},
                {0, 1, 0, 0},
                {-1, 0, 0, 0}}}};
    case 2:
      return {{{{0, 0, i, 0},  //
                {0, 0, 0, -i},
                {-i, 0, 0, 0},
                {0, i, 0, 0}}}};
    case 3:
      return {{{{0, 0, 1, 0},  //
                {0, 0, 0, 1},
                {1, 0, 0, 0},
                {0, 1, 0, 0}}}};
  }
  throw std::out_of_range("gamma: no such direction");
}

SpinMatrix gamma5() {
  SpinMatrix diagonal;
  for (int spin = 0; spin < 4; ++spin) diagonal(spin, spin) = spin < 2 ? 1.0 : -1.0;
  return diagonal;
}

}  // namespace plaq::reference

// Coarse operators by the rows of their matrices, and their even-odd forms.
#pragma once

#include "comms/transport/transport.hpp"
#include "multigrid/coarse/coarse_hat.hpp"
#include "multigrid/coarse/coarse_schur.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

// Entry of links in the form of vectors, [row][site][matrix][column].
inline Complex64& matrix_entry(Vectors& rows, int site, int matrix, int row, int column,
                               int matrices = coarse_matrices) {
  const auto n = rows.size();
  return rows[static_cast<std::size_t>(row)]
             [static_cast<std::size_t>(site * matrices + matrix) * n + static_cast<std::size_t>(column)];
}

inline std::unique_ptr<CoarseSchur> even_odd_form(const std::shared_ptr<CoarseOperator>& m,
                                                  const ProcessGrid& grid, int batch, int parity = 0) {
  CoarseHat hat = coarse_hat(grid, m->links(), m->queue());
  const auto made = [&](Field links) {
    return std::make_shared<CoarseOperator>(grid, std::move(links), m->spec(1).precision,
                                            m->chiralities() == 2, m->queue(),
                                            make_host_transport(grid, m->links().location()));
  };
  return std::make_unique<CoarseSchur>(
      m, CoarseSchur::Hat{made(std::move(hat.hops)), made(std::move(hat.inverse))}, parity, batch);
}

}  // namespace plaq::test

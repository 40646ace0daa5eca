// Color vectors in spinor fields: vector 4 i + s is spin s of subfield i.
#pragma once

#include "core/field/field.hpp"

namespace plaq {

// Subfields first .. first + count - 1 of a field, four color vectors each.
struct ColorVectors {
  const Field* field = nullptr;
  int first = 0, count = 0;
  int size() const { return 4 * count; }
};
// All color vectors of a field.
inline ColorVectors all_vectors(const Field& field) { return {&field, 0, field.subfields()}; }

}  // namespace plaq

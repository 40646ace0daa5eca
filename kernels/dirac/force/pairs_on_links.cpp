#include "kernels/dirac/force/pairs_on_links.hpp"

#include "core/system/error.hpp"

namespace plaq {
namespace {

FieldSpec batch_of(FieldSpec one, int subfields) {
  require(one.subset == Subset::full && one.subfields == 1, "fields of a pair are on all sites");
  one.subfields = subfields;
  return one;
}

}  // namespace

ExtendedHaloContent whole_content(int subfields) {
  ExtendedHaloContent content;
  content.subfields = subfields >= 32 ? ~0u : (1u << subfields) - 1;
  return content;
}

PairsOnLinks::PairsOnLinks(const ProcessGrid& grid, GeometryPtr geometry, FieldSpec one, int per_pair,
                           int batch, const Queue& queue, std::shared_ptr<Transport> transport)
    : queue_(queue),
      batch_(batch),
      all_(geometry, batch_of(one, per_pair * batch)),
      halo_(grid, geometry, all_.spec(), std::move(transport)) {
  require(per_pair >= 1 && per_pair <= 2, "a pair has one or two fields");
  require(batch >= 1 && batch <= 16, "a force reads 1 to 16 pairs at once");
}

void PairsOnLinks::add(const std::vector<const Field*>& fields, double weight,
                       const std::function<void()>& read) {
  queue_.synchronize();
  std::vector<const Field*> there;
  for (std::size_t j = 0; j < fields.size(); ++j) there.push_back(&on_links(j, *fields[j]));
  for (int rhs = 0; rhs < fields.front()->subfields(); ++rhs) {
    const int place = static_cast<int>(weights_.size());
    queue_.synchronize();
    for (std::size_t j = 0; j < fields.size(); ++j)
      copy_subfield(all_, static_cast<int>(j) * batch_ + place, *there[j], rhs);
    weights_.push_back(weight);
    if (place + 1 < batch_) continue;
    read();
    clear();
  }
}

void PairsOnLinks::replace_last(std::size_t j, const Field& field) {
  queue_.synchronize();
  copy_subfield(all_, static_cast<int>(j) * batch_ + static_cast<int>(weights_.size()) - 1,
                on_links(j, field), 0);
}

void PairsOnLinks::exchange() { halo_.exchange(all_, queue_, whole_content(all_.subfields())); }

// The field, or a copy of it on the geometry of the links.
const Field& PairsOnLinks::on_links(std::size_t j, const Field& field) {
  if (field.layout().sites == all_.layout().sites) return field;
  Field& there = on_the_way_[j];
  if (!there || there.subfields() != field.subfields()) there = Field(all_.geometry_ptr(), field.spec());
  copy(there, field);
  return there;
}

}  // namespace plaq

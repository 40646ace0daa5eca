#include "plaq/host_field.hpp"

#include "core/field/stored_sites.hpp"
#include "core/operator/active_set.hpp"

namespace plaq::detail {
namespace {

SiteBox whole(const Field& field) {
  SiteBox box;
  box.shape = field.geometry().general_shape();
  return box;
}

FieldSpec on_host(FieldSpec spec) {
  spec.location = Location::host;
  spec.precision = Precision::double_precision;
  return spec;
}

}  // namespace

void read_sites(const Field& field, std::complex<double>* to) {
  Field host(field.geometry_ptr(), on_host(field.spec()));
  copy(host, field);
  require(host.subfields() <= ActiveSet::capacity, "more subfields than a batch has");
  pack_sites(host, whole(host), ActiveSet(host.subfields()), to, Queue(Location::host),
             PackedOrder::lexicographic);
}

void write_sites(Field& field, const std::complex<double>* from) {
  Field host(field.geometry_ptr(), on_host(field.spec()));
  require(host.subfields() <= ActiveSet::capacity, "more subfields than a batch has");
  unpack_sites(host, whole(host), ActiveSet(host.subfields()), from, Queue(Location::host),
               PackedOrder::lexicographic);
  copy(field, host);
  field.touch();
}

}  // namespace plaq::detail

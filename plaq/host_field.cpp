#include "plaq/host_field.hpp"

#include "comms/halo/padding.hpp"
#include "comms/start/shared_lattice.hpp"
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

void expect_halo_depth(const Lattice& lattice, int depth) { expect_depth({lattice.local_extents(), depth}); }

void fill_halo(const Lattice& lattice, int depth, int count, std::size_t site_bytes, const void* values,
               void* halo) {
  fill_padded(*lattice.shared().grid, {lattice.local_extents(), depth},
              {static_cast<std::size_t>(count), site_bytes}, values, halo);
}

}  // namespace plaq::detail

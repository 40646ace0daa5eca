// A lattice as Python has it: its extents, the ranks that share it, and where its fields are.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "comms/start/lattice_start.hpp"
#include "comms/watchdog/watchdog.hpp"
#include "plaq/lattice.hpp"
#include "plaq/lattice_field.hpp"
#include "python/bindings/call.hpp"
#include "settings/schema/schema.hpp"

namespace plaq::python {

/// The keys of Lattice(): those of [lattice], [comms] and [run].
const settings::Schema& lattice_schema();

/// The class Lattice of Python. Each plaq::Lattice of the module shares one, and keeps its object alive.
class PythonLattice : public SharedLattice {
 public:
  /// Collective.
  /// @param watchdog  seconds that a rank waits for others
  PythonLattice(const StartedRanks& ranks, const Extents& extents, const Sharing& sharing,
                const FaceSettings& faces, double watchdog);
  PythonLattice(const PythonLattice&) = delete;

  const Communicator& ranks() const { return ranks_; }
  const LaunchSite& site() const { return site_; }
  /// Keeps the object that the communicator belongs to. Call it with the GIL held.
  void keep(nanobind::object comm) { comm_ = std::move(comm); }

 private:
  nanobind::object comm_;
  Communicator ranks_;
  LaunchSite site_;
  std::optional<Watchdog> watchdog_;
};

/// The PythonLattice of a lattice of the module.
inline const PythonLattice& python_lattice(const Lattice& lattice) {
  return static_cast<const PythonLattice&>(lattice.shared());
}

/// A call that works on a lattice or a field. Make it with the GIL held.
inline Call call_on(const Lattice& lattice) { return Call(python_lattice(lattice).ranks()); }
inline Call call_on(const LatticeField& field) { return call_on(field.lattice()); }
/// Does `work` in a call, and returns its result.
template <class Place, class Work>
auto in_call(const Place& place, const Work& work) {
  const Call call = call_on(place);
  return work();
}
inline const Queue& queue_of(const LatticeField& field) { return field.lattice().shared().queue; }

/// Collective. A lattice as the class Lattice makes it. `keys` are those of lattice_schema() but
/// for the extents and the location.
/// @param comm  a communicator of mpi4py, or None
/// @param extents  called with the ranks of `comm`, in a call
Lattice make_lattice(nanobind::handle comm, const std::string& location, const nanobind::kwargs& keys,
                     const std::function<Extents()>& extents);

void bind_lattice(nanobind::module_& module);

}  // namespace plaq::python

/// Arguments and results of type plaq::Lattice are objects of the class Lattice.
template <>
struct nanobind::detail::type_caster<plaq::Lattice> {
  using Value = plaq::Lattice;
  using Caster = make_caster<std::shared_ptr<plaq::python::PythonLattice>>;
  static constexpr auto Name = Caster::Name;
  template <class T>
  using Cast = movable_cast_t<T>;
  template <class T>
  static constexpr bool can_cast() {
    return true;
  }

  bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
    Caster caster;
    if (!caster.from_python(source, flags, cleanup) || !caster.value) return false;
    value = plaq::Lattice(std::move(caster.value));
    return true;
  }
  static handle from_cpp(const plaq::Lattice& lattice, rv_policy, cleanup_list* cleanup) noexcept {
    auto* held = const_cast<plaq::python::PythonLattice*>(&plaq::python::python_lattice(lattice));
    return make_caster<plaq::python::PythonLattice>::from_cpp(held, rv_policy::reference, cleanup);
  }

  explicit operator Value*() { return &value; }
  explicit operator Value&() { return value; }
  explicit operator Value&&() { return std::move(value); }
  Value value{std::shared_ptr<const plaq::SharedLattice>()};
};

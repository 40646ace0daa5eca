#include "comms/placement/hwloc_library.hpp"

#if defined(PLAQ_WITH_HWLOC)
#include <dlfcn.h>

#include <optional>
#include <type_traits>

namespace plaq {
namespace {

std::optional<HwlocLibrary> load_library() {
  void* library = ::dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);  // 15: all of 2.x
  if (library == nullptr) return std::nullopt;
  HwlocLibrary hwloc;
  bool all = true;
  const auto find = [&](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, symbol));
    all = all && function != nullptr;
  };
  find(hwloc.get_api_version, "hwloc_get_api_version");
  find(hwloc.init, "hwloc_topology_init");
  find(hwloc.destroy, "hwloc_topology_destroy");
  find(hwloc.set_components, "hwloc_topology_set_components");
  find(hwloc.set_flags, "hwloc_topology_set_flags");
  find(hwloc.set_io_types_filter, "hwloc_topology_set_io_types_filter");
  find(hwloc.set_xmlbuffer, "hwloc_topology_set_xmlbuffer");
  find(hwloc.load, "hwloc_topology_load");
  find(hwloc.get_type_depth, "hwloc_get_type_depth");
  find(hwloc.get_obj_by_depth, "hwloc_get_obj_by_depth");
  find(hwloc.bitmap_next, "hwloc_bitmap_next");
  if (!all || hwloc.get_api_version() >> 16 != HWLOC_API_VERSION >> 16) return std::nullopt;
  return hwloc;
}

}  // namespace

const HwlocLibrary* HwlocLibrary::get() {
  static const std::optional<HwlocLibrary> hwloc = load_library();
  return hwloc ? &*hwloc : nullptr;
}

}  // namespace plaq
#endif

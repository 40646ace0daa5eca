#include "core/system/shared_library.hpp"

#include <dlfcn.h>

#include <utility>

namespace plaq {

SharedLibrary::SharedLibrary(std::string name, const std::string& what, ErrorKind kind)
    : name_(std::move(name)), kind_(kind), library_(::dlopen(name_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (library_ != nullptr) return;
  const char* why = ::dlerror();
  throw Error(kind, what + " cannot be loaded: " + (why != nullptr ? std::string(why) : name_));
}

void* SharedLibrary::address(const char* symbol) const {
  void* found = ::dlsym(library_, symbol);
  if (found == nullptr) throw Error(kind_, name_ + " has no " + symbol);
  return found;
}

}  // namespace plaq

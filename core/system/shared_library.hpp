// Libraries that are loaded when they are wanted, so that programs also start where they are not installed.
#pragma once

#include <string>

#include "core/system/error.hpp"

namespace plaq {

// Stays loaded as long as the process.
class SharedLibrary {
 public:
  // `name`: as the loader has it, "libnccl.so.2". `what`: for users, "NCCL". Throws an Error of this kind,
  // with the reason, where the library cannot be loaded; find() throws such an Error for a missing symbol.
  SharedLibrary(std::string name, const std::string& what, ErrorKind kind);

  template <class Function>
  void find(Function*& function, const char* symbol) const {
    function = reinterpret_cast<Function*>(address(symbol));
  }

 private:
  void* address(const char* symbol) const;

  std::string name_;
  ErrorKind kind_;
  void* library_;
};

}  // namespace plaq

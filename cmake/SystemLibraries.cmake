# Shared libraries that belong to a machine and its operating system, by name.
set(libraries_of_system "^ld-linux" "^lib(c|m|mvec|dl|rt|pthread|resolv|util|anl|nsl|nss_.*)\\.so")

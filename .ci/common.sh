# Sourced by each check: goes to the root of the sources, and knows tools and files.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s: %s\n' "${0##*/}" "$*"; }

# need TOOL: ends the check as passed, with a message, where the tool is missing; as failed where PLAQ_NEED_TOOLS is 1.
# ./setup puts the tools of .ci/requirements.txt into build/python.
need() {
  PATH=$PWD/build/python/bin:$PATH
  command -v "$1" >/dev/null && return
  say "skipped: $1 is not installed. ./setup configure installs it."
  exit "${PLAQ_NEED_TOOLS:-0}"
}

# files_or PATTERN ARGUMENT...: `files` are the arguments, or all files of the repository that match one of the patterns.
files_or() {
  local patterns=$1
  shift
  files=("$@")
  # shellcheck disable=SC2086  # several patterns
  ((${#files[@]})) || mapfile -d '' -t files < <(set -f; git ls-files -z -- $patterns)
}

# tests_of BUILD ROOM...: `targets` are the executables of tests of these rooms, `labels` is their pattern for ctest -L.
tests_of() {
  local build=$1 rooms
  shift
  rooms=$(IFS='|'; echo "$*")
  # shellcheck disable=SC2034  # for the caller
  labels="^($rooms)\$"
  mapfile -t targets < <(cmake --build "$build" --target help | grep -oE "^test_($rooms)(_[a-z_]+)?:" | tr -d :)
  if ((${#targets[@]} == 0)); then
    say "no tests of $*: a room is a folder of tests that has *_test.cpp"
    exit 1
  fi
}

# configured: ./setup has configured the build in build/setup, whose options a check leaves as they are.
configured() { [[ -e build/setup/CMakeCache.txt ]] || ./setup configure -DPLAQ_WERROR=ON "$@"; }

# The packages of Debian and Ubuntu that plaq needs. Missing ones are installed; nothing else is upgraded or removed.
# shellcheck shell=bash disable=SC2034,SC2154  # the files share their variables

packages=(
  g++ cmake ninja-build             # the build
  libhwloc-dev                      # which cores, GPUs and network cards are near each other
  libhdf5-dev                       # correlators
  libfmt-dev libspdlog-dev          # messages
  libcli11-dev libtomlplusplus-dev nlohmann-json3-dev  # command line, job files, JSON
  librandom123-dev                  # random numbers
  libeigen3-dev                     # eigenvalues of small matrices
  libboost-dev                      # numbers of 60 digits
  libpugixml-dev zlib1g-dev         # XML and checksums of SciDAC and ILDG files
  python3 python3-h5py python3-matplotlib python3-numpy  # plaq plot, plaq analyse
  python3-dev python3-venv python3-uncertainties  # the Python module
  libgtest-dev python3-pytest mypy pyflakes3  # tests
  codespell shellcheck              # checks of the text
)
# Tools of other checks in .ci, for ./setup configure alone: comments of public headers, coverage of tests.
tools=(doxygen gcovr)

# Adds the packages of the MPI library, and sets `mpi`, CMake's suffix of its commands: .mpich if an option asks for MPICH now
# or did so when the build was configured, and nothing for the library that mpicc is, which is Debian's Open MPI. Debian has
# mpi4py for Open MPI alone.
choose_mpi() {
  local before
  before=$(cached MPI_EXECUTABLE_SUFFIX)
  mpi=$(asked MPI_EXECUTABLE_SUFFIX)
  if [[ $mpi && $mpi != "$before" && $(cached CMAKE_HOME_DIRECTORY) ]]; then
    die "$PWD/$build was configured for another MPI library: delete $build, and repeat"
  fi
  mpi=${mpi:-$before}
  if [[ $mpi == .mpich ]]; then
    packages+=(libmpich-dev mpich)
  else
    packages+=(libopenmpi-dev openmpi-bin python3-mpi4py)
  fi
}

has_apt() { command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; }

# Sets `missing`.
find_missing_packages() {
  local package
  missing=()
  has_apt || return 0
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
}

# Reads lines of apt-get's option Status-Fd: the first half of the work is downloading, the second one installing.
look_at_apt() {
  if [[ $1 =~ ^dlstatus:[0-9]+:([0-9]+) ]]; then
    work_done=$((BASH_REMATCH[1] / 2))
  elif [[ $1 =~ ^pmstatus:.*:([0-9]+)\.[0-9]+: ]]; then
    work_done=$((50 + BASH_REMATCH[1] / 2))
  fi
}

# Prints what apt-get would upgrade or remove for `missing`, one a line.
upgrades_of_missing() {
  LC_ALL=C apt-get -s install --no-install-recommends "${missing[@]}" 2>/dev/null |
    sed -nE 's/^Inst ([^ ]+) \[([^]]+)\] \(([^ ]+) .*/\1 (\2 to \3)/p; s/^Remv ([^ ]+).*/\1 (to be removed)/p'
}

install_packages() {
  local as_root=() changed=() options=(--no-install-recommends --no-remove) by_hand
  by_hand="apt-get install --no-install-recommends ${missing[*]}"
  if ((${#missing[@]} == 0)); then return; fi
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "installing needs root or sudo. As root: $by_hand"
    echo "Installing them with apt-get through sudo."
    sudo true || die "sudo does not let $(id -un) install packages. As root: $by_hand"
    as_root=(sudo)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  if [[ $(dpkg --audit 2>/dev/null) ]]; then  # an installation that was interrupted
    follow "configuring packages" 0 no_look "${as_root[@]}" dpkg --configure -a ||
      failed "dpkg cannot complete an interrupted installation" "Repair it (dpkg --configure -a, as root), and repeat this command."
  fi
  follow "lists of packages" 0 no_look "${as_root[@]}" apt-get -q update ||
    failed "apt-get update failed" "Check the network and /etc/apt, and repeat this command."
  mapfile -t changed < <(upgrades_of_missing)
  if ((${#changed[@]})) && [[ ! $allow_upgrades ]]; then
    printf '  %s\n' "${changed[@]}" >&2
    die "the missing packages can be installed only where these are upgraded or removed, and nothing was installed.
Do it yourself ($by_hand), or let this command do it: --allow-upgrades"
  fi
  if [[ $allow_upgrades ]]; then options=(--no-install-recommends); fi
  work_all=100
  follow "packages" $((20 + 4 * ${#missing[@]})) look_at_apt \
    "${as_root[@]}" apt-get -q -o APT::Status-Fd=1 install -y "${options[@]}" "${missing[@]}" ||
    failed "apt-get install failed" "Mend what apt-get says, and repeat this command, or install by hand: $by_hand"
  tell "Installed: ${missing[*]}"
}

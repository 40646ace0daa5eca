# How many compilers run at once on this machine, and whether plaq is built for GPUs.
# shellcheck shell=bash disable=SC2034,SC2154  # the files share their variables

# Prints the number of compilers that run at once: one for each core, and 1.5 GB of memory for each.
jobs_at_once() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ {print int($2 / 1500000)}' /proc/meminfo)
  ((memory >= 1)) || memory=1
  echo $((cores < memory ? cores : memory))
}

# Sets `gpu` (empty: there is none) and `capabilities`, a line for each kind of GPU here: 90 for 9.0.
find_gpus() {
  gpu='' capabilities=''
  command -v nvidia-smi >/dev/null || return 0
  gpu=$(timeout 30 nvidia-smi -L 2>/dev/null | grep -m 1 '^GPU ') || gpu=''
  if [[ $gpu ]]; then
    capabilities=$(timeout 30 nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d '. ' |
      grep -xE '[0-9]+' | sort -nu) || capabilities=''
  fi
}

# Prints the compiler of CUDA, where cmake/Cuda.cmake looks for it; nothing: there is none.
find_nvcc() {
  local path
  for path in "$(asked CMAKE_CUDA_COMPILER)" "${CUDACXX:-}" nvcc "${CUDA_HOME:-}/bin/nvcc" "${CUDA_PATH:-}/bin/nvcc" \
    /usr/local/cuda/bin/nvcc /usr/local/cuda-*/bin/nvcc; do
    if [[ $path ]] && command -v "$path"; then return; fi
  done
}

# Prints the value of a variable in CMake's cache; nothing: there is none.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null || true; }

# Prints the value that an option -D gives to a variable; nothing: there is none.
asked() {
  local argument
  for argument in "${cmake_arguments[@]}"; do
    if [[ $argument =~ ^-D$1(:[A-Z]+)?=(.*)$ ]]; then echo "${BASH_REMATCH[2]}"; fi
  done | tail -n 1
}

with_dots() { printf '%s\n' "$capabilities" | sed 's/.$/.&/' | paste -sd ,; }

# Prints what the compiler $1 builds for of `capabilities`, in CMake's form: "80;90".
known_architectures() {
  { grep -xFf <("$1" --list-gpu-arch 2>/dev/null | sed 's/^compute_//') <<<"$capabilities" || true; } | paste -sd ';'
}

# Sets `for_what` and `with_cuda`, and adds to `cmake_arguments`: for GPUs only where there is one or they are asked for. The
# choice of the first build stays until an option changes it.
choose_cuda() {
  local wanted nvcc architectures='' how="as asked for"
  wanted=$(asked PLAQ_CUDA)
  if [[ ! $wanted ]]; then
    wanted=$(cached PLAQ_CUDA)
    how="as when it was first built"
  fi
  nvcc=$(find_nvcc)
  find_gpus
  if [[ $nvcc && $capabilities ]]; then architectures=$(known_architectures "$nvcc"); fi
  with_cuda=yes
  case ${wanted^^} in
    '') choose_by_gpu ;;
    OFF | NO | FALSE | 0)
      with_cuda=''
      for_what="for the host alone, $how"
      if [[ $gpu && $how != "as asked for" ]]; then for_what+=" (--cuda: for the GPU here, too)"; fi
      ;;
    *)
      for_what="for GPUs and the host, $how"
      if [[ ${wanted^^} == AUTO && ! $nvcc ]]; then for_what="for the host alone: there is no nvcc" with_cuda=''; fi
      ;;
  esac
  if [[ $with_cuda && $architectures && ! ${CUDAARCHS:-} ]] &&
    [[ ! $(asked CMAKE_CUDA_ARCHITECTURES) && ! $(cached CMAKE_CUDA_ARCHITECTURES) ]]; then
    cmake_arguments+=("-DCMAKE_CUDA_ARCHITECTURES=$architectures")
  fi
}

# The choice of a first build without an option.
choose_by_gpu() {
  if [[ $gpu && $nvcc && ($architectures || ! $capabilities) ]]; then
    for_what="for the GPU here and the host (-DPLAQ_CUDA=OFF: for the host alone)"
    cmake_arguments+=(-DPLAQ_CUDA=ON)
    return
  fi
  with_cuda=''
  cmake_arguments+=(-DPLAQ_CUDA=OFF)
  if [[ $gpu && $nvcc ]]; then
    for_what="for the host alone: $nvcc does not build for the GPU here (compute capability $(with_dots))"
  elif [[ $gpu ]]; then
    for_what="for the host alone: there is a GPU, but no nvcc. For the GPU, install the CUDA Toolkit 12.2 or newer, and repeat with --cuda"
  elif [[ $nvcc ]]; then
    for_what="for the host alone: nvcc is here, but no GPU (--cuda: for GPUs, too)"
  else
    for_what="for the host alone: there is neither nvcc nor a GPU"
  fi
}

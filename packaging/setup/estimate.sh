# How long the steps of ./setup take. Seconds are those of a fast core (docs/performance.md, "Building"); a slow one takes twice
# as long.
# shellcheck shell=bash disable=SC2034,SC2154  # the files share their variables

program_seconds=720   # compiling the program for the host, nothing built yet
cuda_seconds=480      # its device code
tests_seconds=820     # compiling tests and Python module
running_seconds=900   # running the tests that are not slow
demo_seconds=200      # the jobs of the demo
longest_seconds=(26 44)  # one source, for the host and with CUDA

# Sets REPLY to the tenths of a second that a step of the build takes, by ninja's words for it.
weigh() {
  case $1 in
    *tests/*.cu.o) REPLY=40 ;;
    *.cu.o) REPLY=440 ;;
    *tests/*/Unity/*) REPLY=60 ;;
    */Unity/*) REPLY=90 ;;
    *tests/*.o) REPLY=15 ;;
    */instantiated/*.o) REPLY=260 ;;
    *.o | *.gch) REPLY=30 ;;
    *) REPLY=3 ;;
  esac
}

# Sets `steps`, `step_work` (tenths of a second) and `longest_step` to what ninja would do for a target; returns 1 where that is
# unknown. A copy of build.ninja has no rule that makes it again, which ninja would run first, and show nothing else.
find_steps() {
  local line whole=yes
  steps=0 step_work=0 longest_step=0
  [[ -e $build/build.ninja && $(cached CMAKE_GENERATOR) == Ninja ]] || return 1
  cp "$build/build.ninja" "$build/steps.ninja" 2>/dev/null || return 1
  while IFS= read -r line; do
    if [[ $line == "steps are unknown" ]]; then whole=''; fi
    [[ $line =~ ^\[[0-9]+/[0-9]+\]\ (.*) ]] || continue
    weigh "${BASH_REMATCH[1]}"
    steps=$((steps + 1)) step_work=$((step_work + REPLY))
    longest_step=$((REPLY > longest_step ? REPLY : longest_step))
  done < <(NINJA_STATUS='[%f/%t] ' cmake --build "$build" --target "$(build_target)" -- -f steps.ninja -n 2>/dev/null ||
    echo "steps are unknown")
  rm -f "$build/steps.ninja"
  [[ $whole ]]
}

# Sets REPLY to the seconds that compiling takes.
build_seconds() {
  if [[ $1 == steps ]]; then
    REPLY=$(((step_work / workers + longest_step) / 10))
    return
  fi
  REPLY=$((program_seconds + (${#with_cuda} ? cuda_seconds : 0)))
  if [[ $task == test ]]; then REPLY=$((REPLY + tests_seconds)); fi
  REPLY=$((REPLY / workers + longest_seconds[${#with_cuda} ? 1 : 0]))
}

# Sets REPLY to "6 to 12 min", from seconds of fast cores.
range() {
  local low=$((($1 + 30) / 60)) high=$(((2 * $1 + 59) / 60))
  if ((2 * $1 < 60)); then REPLY="less than a minute"
  elif ((low == 0)); then REPLY="up to $high min"
  else REPLY="$low to $high min"; fi
}

# Says what is to be done, and how long it takes.
show_plan() {
  local seconds all=0 built="nothing is built yet"
  if ((${#missing[@]})); then
    seconds=$((20 + 4 * ${#missing[@]}))
    all=$((all + seconds))
    range "$seconds"
    printf 'packages  %s\n          missing: %s\n' "$REPLY" "${missing[*]}"
  elif has_apt; then
    printf 'packages  all are here\n'
  else
    printf 'packages  This is neither Debian nor Ubuntu, so nothing is installed. plaq needs, by the names of Debian:\n'
    printf '%s\n' "${packages[*]}" | fold -s -w 100 | sed 's/^/          /'
  fi
  if [[ $task == configure ]]; then
    printf 'build     configured, not compiled, %s\n' "$for_what"
    return
  fi
  if find_steps; then
    build_seconds steps
    built="$steps steps are left"
    if ((steps == 0)); then built="all is built"; fi
  else
    build_seconds all
    if [[ -e $build/CMakeCache.txt ]]; then built="begun, so it may take less"; fi
  fi
  all=$((all + REPLY))
  range "$REPLY"
  printf 'build     %s: %s\n          %s\n' "$REPLY" "$built, $jobs at once" "$for_what"
  seconds=$((running_seconds / workers))
  if [[ $task == demo ]]; then seconds=$((demo_seconds / workers)); fi
  all=$((all + seconds))
  range "$seconds"
  printf '%-9s %s\n' "$task" "$REPLY"
  range "$all"
  printf 'together  %s\n' "$REPLY"
}

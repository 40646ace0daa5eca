#!/usr/bin/env bash
# Runs every fuzz target found beside this script for some seconds, several at once, and says what came out.
#   run.sh [SECONDS [JOBS [FOLDER [TARGET...]]]]    60, all cores, ./fuzz-out, all targets
# FOLDER/TARGET/ keeps corpus/ (what was found goes on in the next run), logs and artefacts: crash-*, oom-*,
# timeout-*. A target that ends early begins again. Exits with 1 when there is any artefact.
set -u
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-60} jobs=${2:-$(nproc)} out=${3:-fuzz-out}
shift $(($# < 3 ? $# : 3))
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
  for binary in "$here"/fuzz_*; do targets+=("$(basename "$binary" | sed s/^fuzz_//)"); done
fi
limits="-max_len=65536 -malloc_limit_mb=64 -rss_limit_mb=512 -timeout=5 -print_final_stats=1 -reload=1"

# Leaks are looked for where the machine lets a process be traced.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1}
"$here/fuzz_${targets[0]}" -runs=1 >/dev/null 2>&1 || export ASAN_OPTIONS=detect_leaks=0

# one TARGET NUMBER: until the time is over, at most 20 artefacts
one() {
  local folder=$out/$1 log=$out/$1/log.$2 end=$((SECONDS + seconds)) begin=0
  while [ $((end - SECONDS)) -gt 0 ] && [ $begin -lt 20 ]; do
    # shellcheck disable=SC2086
    "$here/fuzz_$1" $limits -max_total_time=$((end - SECONDS)) -artifact_prefix="$folder/" \
      "$folder/corpus" "$folder/seeds" >>"$log" 2>&1
    begin=$((begin + 1))
  done
}

for target in "${targets[@]}"; do
  mkdir -p "$out/$target/corpus" "$out/$target/seeds"
  rm -f "$out/$target"/log.*
  "@plaq_seeds@/test_fuzz_$target" --write "$out/$target/seeds" || exit 1
  cp "@plaq_root@/tests/fuzz/corpus/$target"/* "$out/$target/seeds/" 2>/dev/null
done
copies=$((jobs / ${#targets[@]}))
[ $copies -lt 1 ] && copies=1
for ((copy = 0; copy < copies; ++copy)); do
  for target in "${targets[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    one "$target" $copy &
  done
done
wait

found=0
printf '%-18s %12s %10s %8s %s\n' target executions coverage corpus artefacts
for target in "${targets[@]}"; do
  folder=$out/$target
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder"/log.* | awk '{n += $1} END {print n + 0}')
  coverage=$(grep -aho 'cov: [0-9]*' "$folder"/log.* | sort -k2 -n | tail -1 | cut -c6-)
  artefacts=$(find "$folder" -maxdepth 1 -name '*-*' | wc -l)
  printf '%-18s %12s %10s %8s %s\n' "$target" "$executions" "${coverage:-0}" \
    "$(find "$folder/corpus" -type f | wc -l)" "$artefacts"
  if [ "$artefacts" -gt 0 ]; then
    found=1
    grep -ahE 'ERROR: |runtime error|SUMMARY: ' "$folder"/log.* | sort | uniq -c | sort -rn | head -5
  fi
done
exit $found

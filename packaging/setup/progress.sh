# Runs the steps of ./setup: all output goes to a log, and one line on the screen says how far a step is.
# shellcheck shell=bash disable=SC2034,SC2154  # the files share their variables

log=''          # the file of all output; named by open_log
child=''        # process that runs the step; empty: none runs
label=''        # name of the step that runs
work_done=0     # of the step, in units of its own
work_all=0      # 0: unknown
detail=''       # shown behind the percentage
line_seconds=${PLAQ_SETUP_LINE_SECONDS:-30}  # between two lines where the output is no terminal
terminal=''
columns=80
line_open=''    # the cursor is on a line of progress
if [[ -t 1 && ${TERM:-dumb} != dumb ]]; then
  terminal=yes
  columns=$(stty size <&1 2>/dev/null | cut -d ' ' -f 2) || columns=80
  ((columns > 20)) || columns=80
fi

clear_line() {
  if [[ $line_open ]]; then printf '\r\e[K'; fi
  line_open=''
}

say() { clear_line; printf '\n== %s\n' "$*"; }
tell() { clear_line; printf '%s\n' "$*"; }
die() { clear_line; printf 'setup: %s\n' "$*" >&2; exit 1; }

# Opens the log of the folder $1, and ends this process where another one builds there.
open_log() {
  mkdir -p "$1" 2>/dev/null || true
  log=$PWD/$1/setup.log
  if ! { : >>"$log"; } 2>/dev/null || [[ ! -w $1 ]]; then
    die "cannot write to $PWD/$1. Give this folder to $(id -un) (chown -R), delete it, or work in a clone of your own."
  fi
  exec 8>>"$log.lock"
  # Compilers that outlive a killed ./setup hold this lock, too.
  local held=0
  if command -v flock >/dev/null; then flock -n 8 || held=$?; fi
  if ((held == 1)); then die "another ./setup builds in $PWD/$1, or its compilers still do. Wait for them, or end them."; fi
  exec 7>"$log"
}

# Sets REPLY to a number of seconds in words.
in_words() {
  if (($1 < 100)); then REPLY="$1 s"
  elif (($1 < 5400)); then REPLY="$((($1 + 30) / 60)) min"
  else REPLY="$(($1 / 3600)) h $(($1 % 3600 / 60)) min"; fi
}

# Sets REPLY to the line of progress. The pace so far counts more and more beside what was expected, until a quarter is done.
progress_text() {
  local elapsed=$((SECONDS - began)) permille pace trust whole
  if ((work_all == 0)); then
    in_words "$elapsed"
    REPLY="$label: $REPLY so far"
    return
  fi
  permille=$((1000 * work_done / work_all))
  permille=$((permille > 999 ? 999 : permille))
  pace=$((permille ? elapsed * 1000 / permille : expected))
  trust=$((expected == 0 || permille > 250 ? 1000 : 4 * permille))
  whole=$((((1000 - trust) * expected + trust * pace) / 1000))
  in_words $((whole * (1000 - permille) / 1000))
  REPLY="$label: $((permille / 10))%, $REPLY left${detail:+, $detail}"
}

show_progress() {
  local pause=$line_seconds
  if [[ $terminal ]]; then pause=1; fi
  if ((SECONDS - shown < pause)); then return; fi
  shown=$SECONDS
  progress_text
  if [[ $terminal ]]; then
    printf '\r\e[K%s' "${REPLY:0:columns-1}"
    line_open=yes
  else
    printf '%s\n' "$REPLY"
  fi
}

# Reads the output of a step to its end: its process's number, then lines for the log and for `look`.
read_output() {
  local line part=''
  IFS= read -r child
  while true; do
    if IFS= read -r -t 1 line; then
      printf '%s\n' "$part$line" >&7
      "$look" "$part$line"
      part=''
    elif (($? > 128)); then  # nothing more within a second
      part+=$line
    else
      if [[ $part$line ]]; then
        printf '%s\n' "$part$line" >&7
        "$look" "$part$line"
      fi
      return 0
    fi
    show_progress
  done
}

# follow LABEL SECONDS LOOK COMMAND...: runs a command, expected to take SECONDS (0: unknown), and returns its exit code.
# LOOK is a function of a line of its output; it may set work_done and detail.
follow() {
  local expected=$2 look=$3 status=0 began=$SECONDS shown=$SECONDS
  label=$1 detail='' work_done=0
  shift 3
  if [[ $terminal ]]; then shown=-1; fi
  printf '\n== %s: %s\n' "$label" "$*" >&7
  log_start=$(($(wc -c <"$log") + 1))
  { echo "$BASHPID" && exec "$@" </dev/null; } 2>&1 | read_output || status=$?
  child='' work_all=0
  clear_line
  return "$status"
}

no_look() { :; }

# Prints the output of the step that ran last.
output_of_step() { tail -c "+$log_start" "$log"; }

# failed WHAT ADVICE: shows the first failure that the build names in its output, else the end of it, and ends.
failed() {
  local first
  clear_line
  first=$(output_of_step | grep -n -m 1 '^FAILED: ' | cut -d : -f 1) || first=''
  {
    echo
    if [[ $first ]]; then
      output_of_step | tail -n "+$first" | sed 2d | head -n 25  # without the command line of the compiler
    else
      output_of_step | tail -n 25
    fi | cut -c 1-240 | sed 's/^/  | /'
    echo
  } >&2
  die "$1. $2 All of the output: $log"
}

is_alive() {
  local stat=''
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  [[ ${stat##*) } != Z* ]]
}

# Ends a process and all below it, and waits for them.
stop_tree() {
  local found=("$1") children i tries one
  for ((i = 0; i < ${#found[@]}; i++)); do
    children=()
    { read -r -a children <"/proc/${found[i]}/task/${found[i]}/children"; } 2>/dev/null || true
    found+=("${children[@]}")
  done
  kill -TERM "${found[@]}" 2>/dev/null || true
  for ((tries = 0; tries < 300; tries++)); do
    for one in "${found[@]}"; do
      if is_alive "$one"; then sleep 0.1; continue 2; fi
    done
    return 0
  done
}

interrupted() {
  trap '' INT TERM HUP
  clear_line
  if [[ $child ]]; then
    printf 'setup: ending %s\n' "$label" >&2
    stop_tree "$child"
  fi
  printf 'setup: interrupted. What is done stays; the same command goes on from there.\n' >&2
  trap - "$1"
  kill -s "$1" "$$"
}

for signal in INT TERM HUP; do
  # shellcheck disable=SC2064  # the name is that of now
  trap "interrupted $signal" "$signal"
done
shopt -s lastpipe  # read_output sets variables of this shell

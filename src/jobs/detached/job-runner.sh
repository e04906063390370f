#!/bin/sh
# Runs one detached job and records how it ended, with or without the service: job-runner.sh FOLDER command [argument…]
#
# Writes FOLDER/proc.json first: process ids of this runner and of the command, start times, boot id.
# Writes FOLDER/exit.json last and renames it into place: {"code": exit status, "term": true if a stop was requested}. Its
# disk space is reserved at the start, so it can be written on a full disk. A file FOLDER/stop or an early SIGTERM prevents
# the command from starting. A signal sent while a process is created may be lost, so send it repeatedly.
folder=$1
shift
child=
term=0
trap 'term=1; [ -n "$child" ] && kill -TERM "$child" 2>/dev/null' TERM INT HUP

finish() {
  printf '%-160s\n' "{\"code\":$1,\"term\":$term}" 1<> "$folder/exit.json.tmp" &&
    mv -f "$folder/exit.json.tmp" "$folder/exit.json"
  exit "$1"
}

# Field 22 of /proc/PID/stat; the name in parentheses may contain spaces.
start_of() {
  start=
  [ -r "/proc/$1/stat" ] || return 0
  read -r line < "/proc/$1/stat" || return 0
  set -f
  field=0
  for word in ${line##*) }; do
    field=$((field + 1))
    if [ $field = 20 ]; then start=$word; break; fi
  done
}

printf '%-160s\n' ' ' > "$folder/exit.json.tmp"
if [ $term = 1 ] || [ -e "$folder/stop" ]; then
  term=1
  finish 143
fi

boot=
[ -r /proc/sys/kernel/random/boot_id ] && read -r boot < /proc/sys/kernel/random/boot_id
start_of $$
own_start=$start

"$@" &
child=$!
start_of $child
printf '{"runner":%s,"runner_start":"%s","pid":%s,"start":"%s","boot":"%s"}\n' \
  $$ "$own_start" $child "$start" "$boot" > "$folder/proc.json.tmp" &&
  mv -f "$folder/proc.json.tmp" "$folder/proc.json"
[ $term = 1 ] && kill -TERM $child 2>/dev/null
while :; do
  wait $child
  code=$?
  kill -0 $child 2>/dev/null || break
done
finish $code

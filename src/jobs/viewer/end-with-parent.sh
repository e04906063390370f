#!/bin/sh
# Runs a command while the other end of this script's standard input is open: end-with-parent.sh command [argument…]
#
# When that end is closed, also by the death of its process, the command gets SIGTERM.
exec 3<&0
"$@" < /dev/null 3<&- &
child=$!
trap 'kill -TERM $child 2>/dev/null' TERM INT HUP
{ cat <&3 > /dev/null; kill -TERM $child 2>/dev/null; } &
watcher=$!
exec 3<&-
while :; do
  wait $child
  code=$?
  kill -0 $child 2>/dev/null || break
done
kill $watcher 2>/dev/null
exit $code

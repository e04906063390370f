#!/bin/sh
# Evaluates a run with a running service and compares it with gates and a committed baseline.
# Exit codes: 0 passed, 1 failed, 2 usage, 3 a gate was missed or a metric is worse, 4 no service.
#
#   RUN                 path of the run: <run_dir>/<run> (required)
#   GATES               gates, separated by blanks (default: success>=0.9)
#   BASELINE            baseline file; the first call with UPDATE_BASELINE=1 creates it
#   MOTION              motion library (default: the run's own)
#   REPORT              file for the HTML report (default: report.html)
#   MOTION_STUDIO_URL   address of the service (default: http://127.0.0.1:8765)
set -eu

: "${RUN:?set RUN to the path of a run, such as wbc_humanoid/2026-05-04_squat}"

set -- "$RUN" --report "${REPORT:-report.html}"
for gate in ${GATES:-success>=0.9}; do
  set -- "$@" --gate "$gate"
done
if [ -n "${MOTION:-}" ]; then
  set -- "$@" --motion "$MOTION"
fi
if [ -n "${BASELINE:-}" ]; then
  set -- "$@" --baseline "$BASELINE"
  if [ "${UPDATE_BASELINE:-0}" = 1 ]; then
    set -- "$@" --update
  fi
fi

exec motion-studio evaluate "$@"

#!/usr/bin/env bash
# From an empty folder to a tested bundle for a robot's controller: the journey in a shell.
#
#   bash journey.sh [FOLDER]
#
# FOLDER gets the workspace and the files that the script makes (default: ./journey). The
# script needs motion-studio, curl and jq. Exit codes: 0 the policy is good enough and its
# bundle passes the self-test, 3 it misses the gate, others: something failed.
#
#   CLIP        clip of the built-in robot: squat, walk_forward, … (default: squat)
#   ITERATIONS  length of the training (default: 150, which takes one or two minutes)
#   ENVS        robots that train at the same time (default: 128)
#   GATE        what the policy must reach (default: success>=0.5)
set -euo pipefail

clip=${CLIP:-squat}
mkdir -p "${1:-journey}"
cd "${1:-journey}"

# 1. Start a service with its own workspace, and stop it in the end. It prints its address
#    when it is ready.
motion-studio --workspace workspace --port 0 >address.txt 2>service.log &
service=$!
trap 'kill "$service"; wait "$service" || true' EXIT
until grep -q listening address.txt; do
  kill -0 "$service" || { cat service.log >&2; exit 1; }
  sleep 0.2
done
export MOTION_STUDIO_URL
MOTION_STUDIO_URL=$(sed 's/.* //' address.txt)

# api METHOD PATH [JSON] makes one call of the HTTP API. A refused call prints its sentence
# and ends the script.
api() {
  local answer
  answer=$(curl -sS --fail-with-body -X "$1" "$MOTION_STUDIO_URL$2" \
    ${3:+-H 'content-type: application/json' -d "$3"}) ||
    { echo "$1 $2: $answer" >&2; return 1; }
  echo "$answer"
}

# 2. Choose a robot.
motion-studio robots select humanoid

# 3. Make a dataset from a folder of clips, and convert it to what a training reads.
mkdir -p clips
api GET "/api/data/download?dataset=samples&clip=$clip&source=raw" >"clips/$clip.csv"
motion-studio import clips --name journey
motion-studio convert journey --wait

# 4. Check the clips. The checks run in the background; an error would spoil the training.
while clips=$(api GET '/api/data/clips?dataset=journey'); do
  jq -e 'all(.clips[]; .qa)' <<<"$clips" >/dev/null && break
  sleep 0.2
done
jq -r '.clips[] | "\(.name): \(.qa.issues) issues, worst: \(.qa.worst)"' <<<"$clips"
jq -e 'all(.clips[]; .qa.worst != "error")' <<<"$clips" >/dev/null ||
  { echo "a clip has errors" >&2; exit 1; }

# 5. Change the task: a preset that costs rash actions a little more.
preset='{
  "base": "Wbc-Humanoid",
  "overrides": {"rewards": {"action_rate_l1": {"weight": -0.12}}}
}'
task=$(api PUT /api/presets/calm "$preset" | jq -r .task)

# 6. Train. The training is a job of its own; --wait shows its progress.
motion-studio train "$task" --dataset journey --envs "${ENVS:-128}" \
  --iterations "${ITERATIONS:-150}" --seed 1 --wait --json >training.json
run=$(jq -r .run training.json)

# 7. Judge it. A missed gate ends the command, and with it this script, with exit code 3.
motion-studio evaluate "$run" --gate "${GATE:-success>=0.5}" --report report.html

# 8. A gate that no policy meets shows the exit code that a build server sees.
code=0
motion-studio evaluate "$run" --starts 1 --gate 'tracked_s>=3600' >missed.txt || code=$?
echo "a missed gate ends with exit code $code"
test "$code" = 3

# 9. Export the policy with its clip. The command runs the written files and fails if their
#    self-test fails.
motion-studio export "$run" --format whole_body_tracking --selftest 1 --output bundle.zip

# 10. Test the file once more, as someone does who gets it.
curl -sSf -T bundle.zip "$MOTION_STUDIO_URL/api/exports/check" |
  jq -e '.selftest.ok' >/dev/null
echo "bundle.zip of $run is good"

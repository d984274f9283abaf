#!/usr/bin/env bash
# A job that goes on until it is done: sbatch slurm.sh model.sfm.h5 out/model
#SBATCH --job-name=solfec
#SBATCH --ntasks=64
#SBATCH --time=12:00:00
#SBATCH --signal=B:USR1@120
#SBATCH --requeue
#SBATCH --open-mode=append
set -u
model=$1
results=$2

# In the background, so that the signal reaches this script, which passes it on.
sf-run -np "${SLURM_NTASKS:-4}" --requeue -c "$model" -o "$results" &
job=$!
trap 'kill -USR1 "$job"' USR1
trap 'kill -TERM "$job"' TERM
# A signal ends `wait` before the job has ended.
wait "$job"
code=$?
while kill -0 "$job" 2>/dev/null; do
  wait "$job"
  code=$?
done

# 75: a checkpoint was written and there is more to do.
if [ "$code" = 75 ] && [ -n "${SLURM_JOB_ID:-}" ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"

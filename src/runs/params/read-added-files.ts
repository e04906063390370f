import { badInput, StudioError } from '../../core/errors.ts';
import { placeOf, problemOf } from '../../core/validation.ts';
import { RunMarks, RunScore } from '../../protocol/schemas/jobs.ts';
import { ADDED_FILES, NO_MARKS, type TrainingRecord } from '../store/run-record.ts';
import { type ParamsMap, type ReadKeys, readParams, textAt, valueAt } from './params-file.ts';

const SCORE_KEYS = ['tracked_s', 'horizon_s', 'success', 'body_pos'] as const;

/** Reads the files that this service adds to a run. A damaged file is treated as missing, so the run itself stays
 *  usable. */
export async function readAddedFiles(
  folder: string,
  read: ReadKeys = readParams,
): Promise<{ marks: RunMarks; training: TrainingRecord }> {
  const marks = await readRunMarks(folder, read).catch(missingIfDamaged);
  const result = await read(folder, ADDED_FILES.result, 'started_from', 'seconds', 'score', 'checkpoint').catch(
    missingIfDamaged,
  );
  const evaluated = await read(folder, ADDED_FILES.evaluated, ...SCORE_KEYS).catch(missingIfDamaged);
  const seconds = valueAt(result, 'seconds');
  const evaluation = scoreIn(evaluated, 'evaluation');
  return {
    marks: marks ?? NO_MARKS,
    training: {
      startedFrom: textAt(result, 'started_from'),
      seconds: typeof seconds === 'number' && seconds >= 0 && Number.isFinite(seconds) ? seconds : null,
      score: evaluation ?? scoreIn(valueAt(result, 'score'), 'training'),
      // An evaluation scores the newest checkpoint.
      scored: evaluation ? null : textAt(result, 'checkpoint'),
    },
  };
}

/** Reads the marks of a run. @throws bad_input naming the damaged field of `marks.yaml` */
export async function readRunMarks(folder: string, read: ReadKeys = readParams): Promise<RunMarks> {
  const stored = await read(folder, ADDED_FILES.marks, 'tags', 'note', 'favourite');
  const marks = {
    tags: valueAt(stored, 'tags') ?? NO_MARKS.tags,
    note: valueAt(stored, 'note') ?? NO_MARKS.note,
    favourite: valueAt(stored, 'favourite') ?? NO_MARKS.favourite,
  };
  const problem = problemOf(RunMarks, marks);
  if (problem !== null)
    throw badInput(
      `${ADDED_FILES.marks}: ${placeOf(problem.path, 'marks')}: ${problem.text}. Correct or delete that file.`,
    );
  return marks as RunMarks;
}

function scoreIn(value: unknown, by: RunScore['by']): RunScore | null {
  if (typeof value !== 'object' || value === null) return null;
  const { tracked_s, horizon_s, success, body_pos } = value as ParamsMap;
  const score = { tracked_s, horizon_s, success, body_pos, by };
  if (problemOf(RunScore, score) !== null) return null;
  const { tracked_s: tracked, horizon_s: horizon } = score as RunScore;
  return Number.isFinite(tracked) && horizon > 0 ? (score as RunScore) : null;
}

function missingIfDamaged(error: unknown): null {
  if (error instanceof StudioError) return null;
  throw error;
}

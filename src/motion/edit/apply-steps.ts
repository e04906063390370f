import { badInput, StudioError } from '../../core/errors.ts';
import { countText } from '../../core/log/format-numbers.ts';
import type { EditStep } from '../../protocol/schemas/edit.ts';
import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { mirrorMap, mirrorRows } from '../convert/mirror.ts';
import { append } from './append.ts';
import { ontoFloor } from './floor.ts';
import { LEAST_FRAMES } from './frames.ts';
import { loop } from './loop.ts';
import { toOrigin } from './origin.ts';
import { smooth } from './smooth.ts';
import { changeSpeed } from './speed.ts';
import { checkSplit, split } from './split.ts';
import { standIn, standOut } from './stand.ts';
import { checkTrim, trim } from './trim.ts';

/** The inputs of edit steps, in addition to the clip. */
export interface EditContext {
  readonly robot: ClipRobot;
  /** the clips that the `append` steps name, by name */
  readonly appended: ReadonlyMap<string, ClipRows>;
}

/** Checks a step as far as possible without a clip. @returns its kind
 *  @throws bad_input naming the step and its field */
export function checkStep(step: EditStep, index: number): keyof EditStep {
  const [kind, ...others] = Object.keys(step) as (keyof EditStep)[];
  if (kind === undefined || others.length > 0)
    throw badInput(
      `steps[${index}]: must have exactly one field, such as {"trim": {"from_s": 0, "to_s": 2}}${kind === undefined ? '' : `; it has ${[kind, ...others].join(', ')}`}`,
    );
  inStep(index, kind, () => {
    if (step.split) checkSplit(step.split);
    if (step.trim) checkTrim(step.trim);
  });
  return kind;
}

/** Runs work on a step and names the step in its errors. */
function inStep<T>(index: number, kind: keyof EditStep, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    const join = /^[a-z_]+: /.test(error.message) ? '.' : ': ';
    throw new StudioError(error.code, `steps[${index}].${kind}${join}${error.message}`, { cause: error });
  }
}

/** Applies the steps of an edit in order. Steps after a split are applied to each part. The inputs stay unchanged.
 *  @param clip finite rows that fit the robot  @returns one clip, or the parts of a split in order
 *  @throws bad_input naming the step and its field */
export function applySteps(clip: ClipRows, steps: readonly EditStep[], context: EditContext): ClipRows[] {
  let parts = [clip];
  for (const [index, step] of steps.entries()) {
    parts = inStep(index, checkStep(step, index), () => {
      const next = parts.flatMap((part) => applied(part, step, context));
      for (const { frames } of next)
        if (frames < LEAST_FRAMES)
          throw badInput(`${countText(frames, 'frame')} remain, expected at least ${LEAST_FRAMES}`);
      return next;
    });
  }
  return parts;
}

function applied(clip: ClipRows, step: EditStep, { robot, appended }: EditContext): ClipRows[] {
  if (step.split) return split(clip, step.split);
  if (step.trim) return [trim(clip, step.trim)];
  if (step.append) return [append(robot, clip, appended.get(step.append.clip)!, step.append.blend_s)];
  if (step.loop) return [loop(robot, clip, step.loop)];
  if (step.stand_in !== undefined) return [standIn(robot, clip, step.stand_in)];
  if (step.stand_out !== undefined) return [standOut(robot, clip, step.stand_out)];
  if (step.speed !== undefined) return [changeSpeed(clip, step.speed)];
  if (step.smooth) return [smooth(clip, step.smooth)];
  if (step.mirror) return [mirrorRows(clip, mirrorMap(robot))];
  if (step.floor) return [ontoFloor(robot, clip)];
  return [toOrigin(clip)];
}

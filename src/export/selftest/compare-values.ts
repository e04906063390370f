import { namesText } from '../../core/log/format-numbers.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { Bundle } from '../layouts/bundle.ts';
import type { RunPolicy } from '../run-policy.ts';

/** Maximum relative difference of a gain or scale, and maximum difference of a pose, rad, at which values are
 *  considered equal. Files of the original project (upstream) are rounded to three decimals. */
const SAME_SHARE = 0.01;
const SAME_POSE = 1e-3;
/** Number of frames of the clip that are compared. */
const FRAMES = 50;

/** Compares the values that a bundle states for each joint with the run, by joint name. @returns one sentence per kind
 *  of difference, which names the joints */
export function compareValues(bundle: Bundle, policy: RunPolicy, library: MotionLibrary): string[] {
  const missing = policy.joints.filter((name) => !bundle.joints.includes(name));
  const unknown = bundle.joints.filter((name) => !policy.joints.includes(name));
  if (missing.length + unknown.length > 0)
    return [
      ...(unknown.length > 0 ? [`unknown joints: ${namesText(unknown)}`] : []),
      ...(missing.length > 0 ? [`missing joints: ${namesText(missing)}`] : []),
    ];
  const values = (key: 'stiffness' | 'damping' | 'scale' | 'defaultPos') => (j: number) =>
    [bundle[key][j]!, policy[key][policy.joints.indexOf(bundle.joints[j]!)]!] as const;
  const share = ([own, wanted]: readonly [number, number]) => Math.abs(own - wanted) > SAME_SHARE * Math.abs(wanted);
  const pose = ([own, wanted]: readonly [number, number]) => Math.abs(own - wanted) > SAME_POSE;
  const found: string[] = [];
  const compare = (
    what: string,
    read: (j: number) => readonly [number, number],
    differs: (pair: readonly [number, number]) => boolean,
  ) => {
    const wrong = bundle.joints.filter((_, j) => differs(read(j)));
    if (wrong.length === 0) return;
    const [own, wanted] = read(bundle.joints.indexOf(wrong[0]!));
    found.push(
      `${namesText(wrong)}: ${what} differs from the run; ${wrong[0]} has ${own.toPrecision(5)} instead of ${wanted.toPrecision(5)}`,
    );
  };
  compare('stiffness', values('stiffness'), share);
  compare('damping', values('damping'), share);
  compare('default position', values('defaultPos'), pose);
  compare('action scale', values('scale'), share);
  compare('position in the clip', (j) => clipPair(bundle, policy, library, j), pose);
  const rate = 1 / library.fps;
  if (Math.abs(bundle.stepS - policy.stepS) > 1e-6)
    found.push(`the control step is ${bundle.stepS} s instead of ${policy.stepS} s`);
  if (Math.abs(rate - bundle.stepS) > 1e-6) found.push(`the clip has ${library.fps} frames per second`);
  if (bundle.clip.frames !== library.frames)
    found.push(`the clip has ${bundle.clip.frames} frames, but the clip of the run has ${library.frames}`);
  return found;
}

/** Returns the position of a joint in the bundle's clip and in the run's clip, at the frame with the largest
 *  difference. @param j index of the joint in the bundle */
function clipPair(bundle: Bundle, policy: RunPolicy, library: MotionLibrary, j: number): readonly [number, number] {
  const column = policy.joints.indexOf(bundle.joints[j]!);
  const frames = Math.min(bundle.clip.frames, library.frames);
  let worst: readonly [number, number] = [0, 0];
  for (let k = 0; k < FRAMES; k += 1) {
    const frame = Math.floor((k * (frames - 1)) / (FRAMES - 1));
    const pair = [bundle.clip.at(frame).jointPos[j]!, library.jointPos[frame * library.joints + column]!] as const;
    if (Math.abs(pair[0] - pair[1]) > Math.abs(worst[0] - worst[1])) worst = pair;
  }
  return worst;
}

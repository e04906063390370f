import type { EditStep } from '../../../../../src/protocol/schemas/edit.ts';

type StepKind = keyof EditStep;

/** A number field of a step. */
export interface StepField {
  /** key of the number in the step; null if the step itself is the number */
  readonly key: string | null;
  readonly label: string;
  readonly unit: string;
  readonly least: number;
  readonly most: number;
}

/** A kind of step that the user can add. */
export interface StepChoice {
  readonly title: string;
  /** effect of the step, as a sentence */
  readonly hint: string;
  readonly kind: StepKind;
  /** Returns a new step. @param duration of the shown clip, s @param clip name of the edited clip */
  readonly make: (duration: number, clip: string) => EditStep;
}

const BLEND: StepField = { key: 'blend_s', label: 'Blend', unit: 's', least: 0.05, most: 30 };

const FIELDS: Readonly<Partial<Record<StepKind, readonly StepField[]>>> = {
  trim: [
    { key: 'from_s', label: 'From', unit: 's', least: 0, most: 1e6 },
    { key: 'to_s', label: 'To', unit: 's', least: 0, most: 1e6 },
  ],
  split: [
    { key: 'every_s', label: 'Length of a part', unit: 's', least: 1, most: 1e6 },
    { key: 'overlap_s', label: 'Overlap', unit: 's', least: 0, most: 1e6 },
  ],
  append: [{ ...BLEND, least: 0 }],
  loop: [BLEND],
  stand_in: [{ ...BLEND, key: null, label: 'Duration' }],
  stand_out: [{ ...BLEND, key: null, label: 'Duration' }],
  speed: [{ key: null, label: 'Factor', unit: '×', least: 0.1, most: 10 }],
  smooth: [{ key: 'cutoff_hz', label: 'Cutoff', unit: 'Hz', least: 0.1, most: 1000 }],
};

export const STEP_CHOICES: readonly StepChoice[] = [
  {
    title: 'Trim',
    hint: 'Keeps the frames between two times.',
    kind: 'trim',
    make: (duration) => ({ trim: { from_s: 0, to_s: duration } }),
  },
  {
    title: 'Split by time',
    hint: 'Makes one clip per part. A last part under 1 s is dropped.',
    kind: 'split',
    make: () => ({ split: { every_s: 10, overlap_s: 0 } }),
  },
  {
    title: 'Split at pauses',
    hint: 'Cuts in the middle of every pause of 0.3 s or more. Parts under 1 s are dropped.',
    kind: 'split',
    make: () => ({ split: { at: 'pauses' } }),
  },
  {
    title: 'Append a clip',
    hint: 'Continues with another clip of the dataset, aligned in heading and place.',
    kind: 'append',
    make: (_, clip) => ({ append: { clip, blend_s: 0.5 } }),
  },
  {
    title: 'Loop',
    hint: 'Blends the end into the start, so that the clip repeats without a jump.',
    kind: 'loop',
    make: () => ({ loop: { blend_s: 0.5 } }),
  },
  {
    title: 'Start standing',
    hint: 'Adds time at the start: from rest in the default pose to the first frame.',
    kind: 'stand_in',
    make: () => ({ stand_in: 1 }),
  },
  {
    title: 'End standing',
    hint: 'Adds time at the end: from the last frame to rest in the default pose.',
    kind: 'stand_out',
    make: () => ({ stand_out: 1 }),
  },
  {
    title: 'Speed',
    hint: 'Makes the motion this many times as fast. The frame rate stays.',
    kind: 'speed',
    make: () => ({ speed: 1.25 }),
  },
  {
    title: 'Smooth',
    hint: 'Low-pass filter without delay.',
    kind: 'smooth',
    make: () => ({ smooth: { cutoff_hz: 6 } }),
  },
  { title: 'Mirror', hint: 'Exchanges left and right.', kind: 'mirror', make: () => ({ mirror: true }) },
  {
    title: 'Put on the floor',
    hint: 'Moves the clip up or down so that its lowest sole is on the floor.',
    kind: 'floor',
    make: () => ({ floor: true }),
  },
  {
    title: 'Move to the origin',
    hint: 'Moves the clip so that it starts at x = y = 0 with heading 0.',
    kind: 'origin',
    make: () => ({ origin: true }),
  },
];

function kindOf(step: EditStep): StepKind {
  return Object.keys(step)[0] as StepKind;
}

function choiceOf(step: EditStep): StepChoice | undefined {
  const kind = kindOf(step);
  const choices = STEP_CHOICES.filter((choice) => choice.kind === kind);
  return step.split?.at === undefined ? choices[0] : choices[1];
}

export function titleOf(step: EditStep): string {
  return choiceOf(step)?.title ?? kindOf(step);
}

export function hintOf(step: EditStep): string {
  return choiceOf(step)?.hint ?? '';
}

/** Returns the number fields of a step that the user can change. */
export function fieldsOf(step: EditStep): readonly StepField[] {
  return step.split?.at !== undefined ? [] : (FIELDS[kindOf(step)] ?? []);
}

export function numberOf(step: EditStep, { key }: StepField): number {
  const value: unknown = step[kindOf(step)];
  return Number(key === null ? value : (value as Readonly<Record<string, unknown>>)[key]);
}

/** Returns a copy of the step with another number in this field. */
export function withNumber(step: EditStep, { key }: StepField, number: number): EditStep {
  const kind = kindOf(step);
  return { [kind]: key === null ? number : { ...(step[kind] as object), [key]: number } };
}

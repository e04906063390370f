import { computed, signal } from '@preact/signals';
import type { BodyOf, ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { JointSpec, RobotSpec, Wiring } from '../../../../src/protocol/schemas/robots.ts';
import { call } from '../../net/api.ts';
import { ownAction } from '../../net/scene-owner.ts';
import { remember, remembered } from '../../ui/stored.ts';
import { failed } from '../../ui/toasts.ts';
import { draftWiring } from './draft-view.ts';

export type Inspection = ReplyOf<RouteByKey['POST /api/robots/import/inspect']>;
export type CheckReport = ReplyOf<RouteByKey['POST /api/robots/import/check']>;
type Spec = BodyOf<RouteByKey['POST /api/robots/import/check']>['spec'];

/** What the service found in the chosen model. */
export const inspection = signal<Inspection | null>(null);
/** The robot as it stands now: what was suggested, with what a person changed. */
export const spec = signal<RobotSpec | null>(null);
/** The last check, and the robot that it was of. */
export const checked = signal<{ readonly report: CheckReport; readonly spec: RobotSpec } | null>(null);
/** The check of the robot as it stands; null when something has changed since. */
export const report = computed(() => (checked.value?.spec === spec.value ? (checked.value?.report ?? null) : null));

const EDITS = 'import-edits';
const SHOW_AFTER_MS = 120;
let showTimer = 0;

/** Reads a model: from now on it is the draft. Edits of an earlier visit to the same model are taken up.
 *  @throws what the service says of the model */
export async function inspectModel(id: string, model: string): Promise<void> {
  const found = await call('POST /api/robots/import/inspect', { body: { id, model } });
  inspection.value = found;
  checked.value = null;
  spec.value = rememberedEdits(id, found.spec) ?? found.spec;
  draftWiring.value = spec.value.wiring;
  await showDraft();
}

/** Forgets the draft on this page; the service keeps its own. */
export function clearDraft(): void {
  window.clearTimeout(showTimer);
  inspection.value = null;
  spec.value = null;
  checked.value = null;
  draftWiring.value = null;
}

function keep(next: RobotSpec): void {
  spec.value = next;
  remember(EDITS, JSON.stringify({ upload: inspection.peek()?.id, spec: next }));
}

export function forgetEdits(): void {
  remember(EDITS, null);
}

/** What a person had changed before the page was left, where it is of the same model with the same joints. */
function rememberedEdits(upload: string, fresh: RobotSpec): RobotSpec | null {
  try {
    const stored = JSON.parse(remembered(EDITS) ?? 'null') as { upload?: string; spec?: RobotSpec } | null;
    const edited = stored?.spec;
    if (stored?.upload !== upload || edited?.model !== fresh.model) return null;
    const same = Object.keys(edited.joints).join() === Object.keys(fresh.joints).join();
    return same ? edited : null;
  } catch {
    return null; // written by another version: the suggestion is there again
  }
}

/** Takes a robot as it was saved in the place of what is suggested. */
export function takeSpec(saved: RobotSpec): void {
  keep(saved);
  changeWiring(saved.wiring);
}

/** Back to what was suggested. */
export function resetEdits(): void {
  const found = inspection.peek();
  if (found === null) return;
  spec.value = found.spec;
  forgetEdits();
  changeWiring(found.spec.wiring);
}

export function changeSpec(change: Partial<RobotSpec>): void {
  const now = spec.peek();
  if (now !== null) keep({ ...now, ...change });
}

export function changeJoints(names: Iterable<string>, change: (joint: JointSpec) => JointSpec): void {
  const now = spec.peek();
  if (now === null) return;
  const joints = { ...now.joints };
  for (const name of names) {
    const joint = joints[name];
    if (joint !== undefined) joints[name] = change(joint);
  }
  keep({ ...now, joints });
}

export function changeWiring(wiring: Wiring): void {
  changeSpec({ wiring });
  draftWiring.value = wiring;
  window.clearTimeout(showTimer);
  showTimer = window.setTimeout(() => void showDraft(), SHOW_AFTER_MS);
}

/** Shows the draft with its wiring in the scene. */
export async function showDraft(): Promise<void> {
  const wiring = spec.peek()?.wiring;
  if (wiring === undefined) return;
  ownAction();
  try {
    await call('POST /api/robots/import/preview', { body: { wiring } });
  } catch (error) {
    failed('The draft could not be shown', error);
  }
}

/** Lets the service check the robot as it stands. @throws what the service says */
export async function checkDraft(signal: AbortSignal): Promise<void> {
  const now = spec.peek();
  if (now === null) return;
  const found = await call('POST /api/robots/import/check', { body: { spec: now as Spec }, signal });
  checked.value = { report: found, spec: now };
}

/** @returns id of the robot and its first task @throws what the service says of the robot */
export async function saveDraft(): Promise<{ readonly id: string; readonly task: string }> {
  const now = spec.peek();
  if (now === null) throw new Error('There is no draft to save.');
  ownAction();
  const { id, task } = await call('POST /api/robots/import/save', { body: { spec: now as Spec } });
  forgetEdits();
  return { id, task };
}

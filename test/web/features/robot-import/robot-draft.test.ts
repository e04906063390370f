import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RobotSpec, Wiring } from '../../../../src/protocol/schemas/robots.ts';
import { RobotDraft } from '../../../../web/src/features/robot-import/robot-draft.ts';
import { answering } from '../../answers.ts';

const spec = (more: Partial<RobotSpec> = {}): RobotSpec =>
  ({
    id: 'strider',
    name: 'Strider',
    model: 'a.xml',
    joints: { knee: {} },
    wiring: { anchor: 'torso' },
    ...more,
  }) as unknown as RobotSpec;

function draftOf(storage: Map<string, string>, found = spec()) {
  const { call, calls } = answering({
    'POST /api/robots/import/inspect': () => ({ id: 'strider', spec: found }),
    'POST /api/robots/import/preview': () => ({}),
    'POST /api/robots/import/check': () => ({ ok: true, checks: [] }),
  });
  const draftWiring = signal<Wiring | null>(null);
  const draft = new RobotDraft({
    call,
    failed: () => {},
    remembered: (key) => storage.get(key) ?? null,
    remember: (key, value) => void (value === null ? storage.delete(key) : storage.set(key, value)),
    draftWiring,
  });
  return { draft, calls, draftWiring };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('edits survive a reload of the page, until the joints of the model change', async () => {
  const storage = new Map<string, string>();
  const before = draftOf(storage).draft;
  await before.inspectModel('strider', 'a.xml');
  before.changeSpec({ name: 'Runner' });
  const after = draftOf(storage).draft;
  await after.inspectModel('strider', 'a.xml');
  expect(after.spec.value?.name).toBe('Runner');
  const other = draftOf(storage, spec({ joints: { hip: {} } as never })).draft;
  await other.inspectModel('strider', 'a.xml');
  expect(other.spec.value?.name).toBe('Strider');
});

test('any change of the settings clears the report of a check', async () => {
  const { draft } = draftOf(new Map());
  await draft.inspectModel('strider', 'a.xml');
  await draft.checkDraft(new AbortController().signal);
  expect(draft.report.value?.ok).toBe(true);
  draft.changeSpec({ name: 'Runner' });
  expect(draft.report.value).toBeNull();
});

test('a changed wiring is shown at once on the page, and in the scene after a pause in the edits', async () => {
  const { draft, calls, draftWiring } = draftOf(new Map());
  await draft.inspectModel('strider', 'a.xml');
  const shown = () => calls.filter((call) => call === 'POST /api/robots/import/preview').length;
  expect(shown()).toBe(1);
  for (const anchor of ['hip', 'head', 'torso']) draft.changeWiring({ anchor } as Wiring);
  expect(draftWiring.value?.anchor).toBe('torso');
  await vi.advanceTimersByTimeAsync(200);
  expect(shown()).toBe(2);
});

test('a saved robot opens with its own settings, to which edits can be reset; the suggestion keeps its name', async () => {
  const storage = new Map<string, string>();
  const { draft } = draftOf(storage);
  const saved = spec({ name: 'Mine', joints: { hip: {} } as never });
  await draft.inspectModel('strider', 'a.xml', saved);
  expect(draft.spec.value).toBe(saved);
  draft.takeSuggestion();
  expect(draft.spec.value).toEqual(spec({ name: 'Mine' }));
  draft.resetEdits();
  expect(draft.spec.value).toBe(saved);
  expect(storage.size).toBe(0);
  // The saved settings do not apply to another model of the robot's folder.
  await draft.inspectModel('strider', 'b.xml', saved);
  expect(draft.spec.value?.name).toBe('Strider');
});

test('loaded gains change only the stated values; the action scale is recomputed unless it is stated', async () => {
  const joint = { default: 0.3, stiffness: 10, damping: 1, armature: 0.1, effort_limit: 40, action_scale: 1 };
  const { draft } = draftOf(new Map(), spec({ joints: { knee: joint, hip: joint } }));
  await draft.inspectModel('strider', 'a.xml');
  draft.changeJoints(['knee'], (now) => ({ ...now, effort_limit: 80 }));
  const gain = { stiffness: 100, damping: 5, armature: 0.7, effort_limit: 40, action_scale: 0.2, source: 'x' };
  draft.takeGains({
    knee: { ...gain, stated: ['stiffness', 'damping'] },
    hip: { ...gain, stated: ['stiffness', 'action_scale'] },
  });
  expect(draft.spec.value?.joints).toEqual({
    knee: { ...joint, stiffness: 100, damping: 5, effort_limit: 80, action_scale: 0.2 },
    hip: { ...joint, stiffness: 100, action_scale: 0.2 },
  });
});

test('stored edits that are not JSON are ignored', async () => {
  const { draft } = draftOf(new Map([['import-edits', '{']]));
  await draft.inspectModel('strider', 'a.xml');
  expect(draft.spec.value?.name).toBe('Strider');
});

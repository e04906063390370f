import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { SceneOwner } from '../../../../src/protocol/events.ts';
import type { Preview } from '../../../../src/protocol/schemas/data.ts';
import { ClipPreview } from '../../../../web/src/features/data/clip-preview.ts';
import type { DockView } from '../../../../web/src/ui/dock-layout.ts';
import { answering, settled } from '../../answers.ts';

const open = (more: Partial<Preview> = {}): Preview =>
  ({
    open: true,
    loading: false,
    dataset: 'samples',
    clip: 'walk',
    source: 'npz',
    frames: 100,
    fps: 50,
    frame: 0,
    time: 0,
    playing: false,
    options: { speed: 1, loop: true },
    grid: null,
    qa: null,
    error: null,
    ...more,
  }) as Preview;

function player(state: Preview = open(), owner: SceneOwner = 'data') {
  const failures: string[] = [];
  const pictures: (() => void)[] = [];
  const answers = answering({
    'GET /api/data/preview': () => state,
    'POST /api/data/frame': ({ body }) => ({ ...state, frame: body?.['frame'] }),
    'POST /api/data/load': () => ({ task: 'load-1' }),
    'POST /api/data/playing': ({ body }) => ({ ...state, playing: body?.['playing'] }),
  });
  const clip = new ClipPreview({
    call: answers.call,
    runSlow: async (_, start) => (await start()).task !== '',
    foldFirstRun: () => {},
    failed: (what) => void failures.push(what),
    goTo: () => {},
    dockView: signal<DockView>('timeline'),
    plotsWindow: false,
    owner: signal(owner),
    nextPicture: (callback) => void pictures.push(callback),
  });
  return { clip, answers, failures, draw: () => pictures.splice(0).forEach((callback) => void callback()) };
}

test('seeking moves the playhead at once, stays inside the clip and calls watchers once per picture', async () => {
  const { clip, draw } = player();
  await clip.refreshPreview();
  draw();
  let told = 0;
  clip.watchPlayhead(() => told++);
  clip.seek(40);
  clip.seek(250);
  expect(clip.playhead).toEqual({ frame: 99, time: 99 / 50 });
  draw();
  expect(told).toBe(2); // once on subscribing, and once for both seeks
});

test('stepping pauses a playing clip first', async () => {
  const { clip, answers } = player(open({ playing: true, frame: 10, time: 0.2 }));
  await clip.refreshPreview();
  clip.playhead.frame = 10;
  await clip.step(1);
  await settled();
  expect(clip.playhead.frame).toBe(11);
  expect(answers.calls).toEqual(['GET /api/data/preview', 'POST /api/data/playing', 'POST /api/data/frame']);
});

test('a refused option returns to its previous value and is reported', async () => {
  const { clip, failures } = player();
  await clip.refreshPreview();
  await clip.setOptions({ speed: 2 });
  expect(clip.preview.value?.options.speed).toBe(1);
  expect(failures).toEqual(['The option could not be set']);
});

test('the result of the checks is kept when an older reply arrives later', async () => {
  const { clip } = player();
  await clip.refreshPreview();
  clip.takePreview(open({ qa: { ok: true, issues: [] } }));
  clip.takePreview(open({ qa: null }));
  expect(clip.preview.value?.qa).toEqual({ ok: true, issues: [] });
  clip.takePreview(open({ clip: 'run', qa: null }));
  expect(clip.preview.value?.qa).toBeNull();
});

test('a looped range returns to its first frame, and ends at the end of the clip', async () => {
  const { clip, draw } = player();
  clip.takePreview(open({ playing: true }));
  clip.loopRegion.value = [20, 30];
  clip.followFrame({ header: { owner: 'data', hud: { frame: 31, time: 0.62 } } } as never);
  draw();
  expect(clip.playhead.frame).toBe(20);
  clip.takePreview(open({ clip: 'run' }));
  expect(clip.loopRegion.value).toBeNull();
});

test('a clip is treated as shown when it is open alone or in the grid', () => {
  const { clip } = player();
  clip.takePreview(open({ clip: null, grid: { dataset: 'samples', clips: ['walk', 'run'] } }));
  expect(clip.showsClips('samples', ['run'])).toBe(true);
  expect(clip.showsClips('samples', ['jump'])).toBe(false);
  expect(clip.showsClips('other', null)).toBe(false);
});

test.each([
  ['the scene still shows it', 'data', 'walk', 1],
  ['Play owns the scene meanwhile', 'play', 'walk', 0],
  ['another clip is open', 'data', 'run', 0],
] as const)('a converted clip is loaded again if and only if the scene shows it: %s', async (_, owner, clip, loads) => {
  const { clip: preview, answers } = player(open(), owner);
  await preview.refreshPreview();
  await preview.reloadShown('samples', clip);
  expect(answers.calls.filter((call) => call === 'POST /api/data/load')).toHaveLength(loads);
});

import { areaSpec } from '../features/areas.ts';
import { chosenIssue, isOpen, preview } from '../features/data/preview-store.ts';
import { clickedBody, draftWiring, litBody } from '../features/robot-import/draft-view-store.ts';
import { robot, robots, selectedSummary } from '../features/robots/robots-store.ts';
import { owner } from '../net/scene-owner.ts';
import { sentence } from '../ui/format.ts';
import { area, layout } from '../ui/layout.ts';
import { Lazy } from '../ui/lazy.tsx';
import { failed } from '../ui/toasts.ts';
import type { SceneMarks } from '../viewport/start-scene.ts';
import { Viewport } from '../viewport/viewport.tsx';
import { firstRunShown } from './first-run.ts';
import { CapturePanel } from './late-dialogs.tsx';
import { ReconnectBanner } from './reconnect-banner.tsx';
import { ScenePills, SceneTools } from './scene-tools.tsx';
import { Toasts } from './toast-list.tsx';

const firstRun = () => import('../features/status/first-run-card.tsx').then((part) => part.FirstRunCard);
const firstRunPills = () => import('../features/status/first-run-card.tsx').then((part) => part.FirstRunPills);

/** px that the first-run card covers */
const CARD_PX = 600;

const MARKS: SceneMarks = {
  wiring: () => (owner.value === 'import' ? draftWiring.value : null) ?? robot.state.value.value?.wiring ?? null,
  lit: () =>
    litBody.value ?? clickedBody.value?.name ?? (owner.value === 'data' ? (chosenIssue.value?.body ?? null) : null),
  picked: (name, x, y, env) => {
    if (owner.peek() === 'play' && env >= 0) focusEnvironment(env);
    if (owner.peek() === 'import') clickedBody.value = name === null ? null : { name, x, y };
  },
};

function focusEnvironment(env: number): void {
  import('../features/play/control-store.ts').then(
    (play) => play.focusEnv(env),
    (error: unknown) => failed('Play could not be loaded', error),
  );
}

/** The scene with its pills, tools and messages. */
export function ScenePane() {
  const bare = firstRunShown.value;
  const wizard = areaSpec(area.value).wizard;
  return (
    <Viewport
      summary={useSummary()}
      robotName={nameOf}
      inset={bare && layout.value !== 'phone' ? CARD_PX : 0}
      marks={MARKS}
      top={<Toasts />}
    >
      {bare && <Lazy load={firstRun} what="The checklist" quiet />}
      {bare ? <Lazy load={firstRunPills} what="The scene's labels" quiet /> : <ScenePills />}
      <SceneTools bare={bare} />
      {wizard?.overScene !== undefined && wizard.isOpen() && <Lazy load={wizard.overScene} what={wizard.title} quiet />}
      <CapturePanel />
      <ReconnectBanner />
    </Viewport>
  );
}

function nameOf(id: string | null): string | undefined {
  return robots.value?.robots.find((summary) => summary.id === id)?.name;
}

/** Returns a description of the canvas in words. */
function useSummary(): string {
  const name = selectedSummary.value?.name ?? 'no robot';
  const open = preview.value;
  const whose = owner.value === null ? '' : `, shown by ${sentence(owner.value)}`;
  if (owner.value === 'data' && isOpen.value && open !== null) {
    return `Scene: ${name} in clip ${open.clip ?? 'grid'}, ${open.playing ? 'playing' : `paused at frame ${open.frame}`}${whose}`;
  }
  return `Scene: ${name}${whose}`;
}

import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { connection } from '../service/connection.ts';
import { OWNER_NAME, owner } from '../service/owner.ts';
import { isOpen, preview } from '../service/preview.ts';
import { selectedSummary } from '../service/robots.ts';
import { firstRunShown } from '../shell/first-run.ts';
import { BodyMenu, FirstRunCard } from '../shell/later.tsx';
import { ReconnectBanner } from '../shell/reconnect-banner.tsx';
import { Toasts } from '../shell/toasts.tsx';
import { importing } from '../state/import/draft-view.ts';
import { layout, theme } from '../state/ui.ts';
import { alone, followMode, noWebGl, sceneState, tinted, viewer } from '../state/view.ts';
import { Gizmo } from './gizmo.tsx';
import { Hud } from './hud.tsx';
import { startScene } from './start-scene.ts';
import { readTheme } from './theme-tokens.ts';
import { SceneStats, ViewTools } from './tools.tsx';

/** The live scene with everything that lies over it. */
export function Viewport() {
  const host = useRef<HTMLDivElement>(null);
  const labels = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (host.current === null || labels.current === null) return;
    const stop = startScene(host.current, labels.current);
    const follow = effect(() => {
      const drawing = viewer.value;
      if (drawing === null) return;
      void theme.value; // the page's root has its theme before effects run
      queueMicrotask(() => drawing.restyle(readTheme()));
    });
    const camera = effect(() => viewer.value?.setFollow(followMode.value));
    const look = effect(() => viewer.value?.setLook(tinted.value, alone.value && owner.value === 'play'));
    return () => {
      follow();
      camera();
      look();
      stop();
    };
  }, []);

  const bare = firstRunShown.value;
  useEffect(() => {
    viewer.value?.setInset(bare && layout.value !== 'phone' ? 600 : 0, 0);
  });

  const { loading, error } = sceneState.value;
  return (
    <main class={`viewport${connection.value.state === 'lost' ? ' stale' : ''}`} style={{ gridArea: 'viewport' }}>
      <div class="scene-host" ref={host} role="img" aria-label={useSummary()} />
      <div class="labels" ref={labels} aria-hidden="true" />
      {bare && <FirstRunCard />}
      <Hud />
      <ViewTools />
      {viewer.value !== null && <Gizmo />}
      {importing.value && <BodyMenu />}
      <SceneStats />
      <ReconnectBanner />
      {loading && error === null && connection.value.state !== 'lost' && (
        <p class="scene-note" role="status">
          <span class="spinner" aria-hidden="true" />
          Loading the scene
        </p>
      )}
      {error !== null && (
        <p class="scene-note err" role="alert">
          The scene could not be read: {error}
        </p>
      )}
      {noWebGl.value !== null && (
        <p class="scene-note">This browser has no WebGL ({noWebGl.value}): the robot is drawn as a stick figure.</p>
      )}
      <Toasts />
    </main>
  );
}

/** What the canvas shows, in words. */
function useSummary(): string {
  const robot = selectedSummary.value?.name ?? 'no robot';
  const open = preview.value;
  const whose = owner.value === null ? '' : `, shown by ${OWNER_NAME[owner.value]}`;
  if (owner.value === 'data' && isOpen.value && open !== null) {
    return `Scene: ${robot} in clip ${open.clip ?? 'grid'}, ${open.playing ? 'playing' : `paused at frame ${open.frame}`}${whose}`;
  }
  return `Scene: ${robot}${whose}`;
}

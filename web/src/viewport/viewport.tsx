import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isOpen, preview } from '../features/data/preview-store.ts';
import { importing } from '../features/robot-import/draft-view.ts';
import { selectedSummary } from '../features/robots/robots-store.ts';
import { connection } from '../net/connection.ts';
import { OWNER_NAME, owner } from '../net/scene-owner.ts';
import { firstRunShown } from '../shell/first-run.ts';
import { BodyMenu, FirstRunCard } from '../shell/later.tsx';
import { ReconnectBanner } from '../shell/reconnect-banner.tsx';
import { Toasts } from '../shell/toast-list.tsx';
import { layout, theme } from '../ui/layout.ts';
import { Gizmo } from './gizmo.tsx';
import { Hud } from './hud.tsx';
import { startScene } from './start-scene.ts';
import { readTheme } from './theme-tokens.ts';
import { SceneStats, ViewTools } from './tools.tsx';
import { alone, followMode, noWebGl, sceneState, tinted, viewer } from './view-state.ts';

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

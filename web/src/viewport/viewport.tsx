import { effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { connection } from '../net/connection.ts';
import { owner } from '../net/scene-owner.ts';
import { theme } from '../ui/layout.ts';
import { Gizmo } from './gizmo.tsx';
import { SceneStats } from './scene-stats.tsx';
import { type SceneMarks, startScene } from './start-scene.ts';
import { readTheme } from './theme-tokens.ts';
import { alone, followMode, ghostAligned, noWebGl, robotNames, sceneState, tinted, viewer } from './view-state.ts';

/** Width of the tools at the right edge of the scene with their margins, px. */
const TOOLS_PX = 56;

export interface ViewportProps {
  /** description of the scene for screen readers */
  readonly summary: string;
  /** returns the name of a robot that the page shows; undefined for an unknown id */
  readonly robotName: (id: string | null) => string | undefined;
  /** width that a card at the left covers, px; the robot is centred in the remaining part */
  readonly inset: number;
  readonly marks: SceneMarks;
  /** content over the scene, below its messages */
  readonly children: ComponentChildren;
  /** content over the scene, its overlays and its messages */
  readonly top: ComponentChildren;
}

/** The live scene with its overlays. */
export function Viewport({ summary, robotName, inset, marks, children, top }: ViewportProps) {
  const host = useRef<HTMLDivElement>(null);
  const labels = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (host.current === null || labels.current === null) return;
    const stop = startScene(host.current, labels.current, marks);
    const follow = effect(() => {
      const drawing = viewer.value;
      if (drawing === null) return;
      void theme.value; // depend on the theme; it is applied to the document root before effects run
      queueMicrotask(() => drawing.restyle(readTheme()));
    });
    const camera = effect(() => viewer.value?.setFollow(followMode.value));
    const look = effect(() =>
      viewer.value?.setLook({
        tint: tinted.value,
        alone: alone.value && owner.value === 'play',
        teams: robotNames.value.teams,
        aligned: ghostAligned.value && owner.value === 'play',
      }),
    );
    return () => {
      follow();
      camera();
      look();
      stop();
    };
  }, []);

  useEffect(() => {
    viewer.value?.setInset(inset, TOOLS_PX);
  });

  return (
    <main class={`viewport${connection.value.state === 'lost' ? ' stale' : ''}`} style={{ gridArea: 'viewport' }}>
      <div class="scene-host" ref={host} role="img" aria-label={summary} />
      <div class="labels" ref={labels} aria-hidden="true" />
      {children}
      {viewer.value !== null && <Gizmo />}
      <SceneStats />
      <SceneNotes robotName={robotName} />
      {top}
    </main>
  );
}

function SceneNotes({ robotName }: Pick<ViewportProps, 'robotName'>) {
  const { loading, robot, error } = sceneState.value;
  return (
    <>
      {loading && error === null && connection.value.state !== 'lost' && (
        <p class="scene-note" role="status">
          <span class="spinner" aria-hidden="true" />
          Loading {robotName(robot) ?? robot ?? 'the scene'}
        </p>
      )}
      {error !== null && (
        <p class="scene-note err" role="alert">
          The scene could not be read: {error}
        </p>
      )}
      {noWebGl.value !== null && (
        <p class="scene-note">WebGL is not available ({noWebGl.value}). The robot is drawn as a stick figure.</p>
      )}
    </>
  );
}

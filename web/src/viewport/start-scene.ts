import { effect } from '@preact/signals';
import type { Frame } from '../../../src/protocol/frame.ts';
import type { SceneModel } from '../../../src/protocol/schemas/robots.ts';
import { messageOf } from '../net/api.ts';
import { liveFrames } from '../net/live-frames.ts';
import type { Viewer } from '../scene/viewer.ts';
import { robot } from '../state/robots.ts';
import { remember, remembered } from '../state/stored.ts';
import { cameraMoved, noWebGl, sceneFacts, sceneState, thumbnails, viewer } from '../state/view.ts';
import { fetchModel, fetchTerrain } from './scene-model.ts';
import { startStickFigure } from './stick-figure.ts';

const RETRY_MS = 2000;

/** What draws: the WebGL viewer, or the stick figure where there is none. */
interface Drawer {
  readonly setModel: (model: SceneModel, geometry: Awaited<ReturnType<typeof fetchModel>>['geometry']) => void;
  readonly viewer: Viewer | null;
  readonly stop: () => void;
}

/** Brings the scene up: loads the drawing code, keeps model and terrain at the versions that the frames name.
 *  @returns ends it */
export function startScene(canvas: HTMLCanvasElement, labels: HTMLElement): () => void {
  let stopped = false;
  let drawer: Drawer | null = null;
  let modelVersion = -1;
  let terrainVersion = -1;
  let loading = false;
  let retry = 0;
  let bodies: readonly string[] = [];

  const sync = async (): Promise<void> => {
    const header = liveFrames.latest?.header;
    if (drawer === null || loading || header === undefined) return;
    if (header.model_version === modelVersion && header.terrain_version === terrainVersion) return;
    loading = true;
    sceneState.value = { loading: true, error: null };
    try {
      if (header.model_version !== modelVersion) {
        const { model, geometry } = await fetchModel();
        if (stopped) return;
        modelVersion = model.version;
        bodies = model.bodies.map((body) => body.name);
        drawer.setModel(model, geometry);
        const { terrain_version, n } = header;
        sceneFacts.value = {
          robot: model.robot,
          bodies: bodies.length,
          modelVersion,
          terrainVersion: terrain_version,
          n,
        };
        wire();
      }
      if (header.terrain_version !== terrainVersion) {
        const terrain = await fetchTerrain();
        if (stopped) return;
        terrainVersion = header.terrain_version;
        drawer.viewer?.setTerrain(terrain);
      }
      sceneState.value = { loading: false, error: null };
    } catch (error) {
      sceneState.value = { loading: false, error: messageOf(error) };
      window.clearTimeout(retry);
      retry = window.setTimeout(() => void sync(), RETRY_MS);
      return;
    } finally {
      loading = false;
    }
    // the service may have gone on meanwhile
    const now = liveFrames.latest?.header;
    if (now !== undefined && now.model_version !== modelVersion && now.model_version !== header.model_version)
      void sync();
  };

  const wire = () => {
    const wiring = robot.state.peek().value?.wiring;
    if (wiring === undefined || drawer === null) return;
    const index = (name: string) => bodies.indexOf(name);
    drawer.viewer?.setWiring({
      anchor: index(wiring.anchor),
      keybodies: new Set(wiring.keybodies.map(index)),
      feet: wiring.feet.map(index).filter((body) => body >= 0),
    });
  };

  const onFrame = ({ header }: Frame) => {
    if (header.model_version !== modelVersion || header.terrain_version !== terrainVersion) void sync();
    const facts = sceneFacts.peek();
    if (facts !== null && facts.n !== header.n) sceneFacts.value = { ...facts, n: header.n };
  };
  const stopFrames = liveFrames.listen(onFrame);
  const stopWiring = effect(() => {
    void robot.state.value.value?.wiring;
    wire();
  });

  createDrawer(canvas, labels).then(
    (created) => {
      if (stopped) return created.stop();
      drawer = created;
      viewer.value = created.viewer;
      void sync();
    },
    (error: unknown) => {
      sceneState.value = { loading: false, error: messageOf(error) };
    },
  );

  return () => {
    stopped = true;
    window.clearTimeout(retry);
    stopFrames();
    stopWiring();
    viewer.value = null;
    drawer?.stop();
  };
}

async function createDrawer(canvas: HTMLCanvasElement, labels: HTMLElement): Promise<Drawer> {
  const { Viewer: ViewerClass } = await import('../scene/viewer.ts');
  try {
    const drawing = new ViewerClass(canvas, labels, liveFrames, {
      cameraMoved: () => (cameraMoved.value += 1),
      thumbnail: keepThumbnail,
    });
    return {
      viewer: drawing,
      setModel: (model, geometry) =>
        drawing.setModel({
          robot: model.robot,
          bodies: model.bodies.map((body) => body.name),
          geometry,
          version: model.version,
        }),
      stop: () => drawing.dispose(),
    };
  } catch (error) {
    noWebGl.value = messageOf(error);
    const figure = startStickFigure(canvas, liveFrames);
    return {
      viewer: null,
      setModel: (model) => figure.setParents(model.bodies.map((body) => body.parent)),
      stop: figure.stop,
    };
  }
}

/** Pictures of robots outlive the page: a robot that was once shown here has its picture in the list. */
function keepThumbnail(id: string, url: string): void {
  thumbnails.value = { ...thumbnails.peek(), [id]: url };
  remember('thumbnails', JSON.stringify(thumbnails.peek()));
}

function storedThumbnails(): Record<string, string> {
  try {
    const stored: unknown = JSON.parse(remembered('thumbnails') ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter(([, url]) => typeof url === 'string' && url.startsWith('data:image/')),
    );
  } catch {
    return {}; // written by another version: pictures are made anew
  }
}
thumbnails.value = storedThumbnails();

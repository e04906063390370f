import { effect, untracked } from '@preact/signals';
import type { Frame } from '../../../src/protocol/frame.ts';
import type { SceneModel, Wiring } from '../../../src/protocol/schemas/robots.ts';
import { call, callBytes } from '../net/api.ts';
import { liveFrames } from '../net/live-frames.ts';
import { messageOf } from '../ui/message-of.ts';
import { remember, remembered } from '../ui/stored.ts';
import { failed, toast } from '../ui/toasts.ts';
import { SceneView } from './scene-view.ts';
import type { startStickFigure } from './stick-figure.ts';
import { readTheme } from './theme-tokens.ts';
import {
  cameraMoved,
  noWebGl,
  robotNames,
  type SceneState,
  sceneFacts,
  sceneState,
  thumbnails,
  viewer,
} from './view-state.ts';

const RETRY_MS = 2000;
const LOADED: SceneState = { loading: false, robot: null, error: null };

/** Marks that the page shows in the scene. The functions run inside effects, so the scene updates when their signals
 *  change. */
export interface SceneMarks {
  /** bodies to mark; null for none */
  readonly wiring: () => Wiring | null;
  /** name of the body to highlight; null for none */
  readonly lit: () => string | null;
  /** Reports a click in the scene. @param name body, null if none was hit  @param x,y px in the viewport
   *  @param robot index of the robot, −1 for none */
  readonly picked: (name: string | null, x: number, y: number, robot: number) => void;
}

interface FetchedModel {
  readonly model: SceneModel;
  readonly binary: ArrayBuffer;
}

/** Fetches both parts of the scene's model. Repeats this if the robot changed between the two requests.
 *  @param known called with the small part, which arrives before the geometry */
async function fetchModel(known: (model: SceneModel) => void): Promise<FetchedModel> {
  for (let attempt = 0; ; attempt++) {
    const facts = call('GET /api/robot/model').then((model) => {
      known(model);
      return model;
    });
    const [model, binary] = await Promise.all([facts, callBytes('GET /api/robot/model.bin')]);
    if (binary.byteLength === model.bin.bytes || attempt >= 3) return { model, binary };
  }
}

/** Delay between a change of the number of robots and the camera move that shows all of them, ms. */
const SETTLED_MS = 200;

/** Starts the scene in `host`: a canvas that a worker thread draws, or a stick figure without WebGL. Loads model and
 *  terrain again when a frame names another version. @returns a function that stops the scene */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: all callbacks share the state of one scene
export function startScene(host: HTMLElement, labels: HTMLElement, marks: SceneMarks): () => void {
  let stopped = false;
  let ready = false;
  /** versions of model and terrain that are being fetched; '' if none */
  let fetching = '';
  let modelVersion = -1;
  let terrainVersion = -1;
  /** version of the model whose geometry the drawing thread has built */
  let builtVersion = -1;
  let retry = 0;
  let bodies: readonly string[] = [];
  let figure: ReturnType<typeof startStickFigure> | null = null;

  const canvas = () => {
    const element = document.createElement('canvas');
    host.replaceChildren(element);
    return element;
  };

  const sync = async (): Promise<void> => {
    const header = liveFrames.latest?.header;
    if (!ready || header === undefined) return;
    const { model_version, terrain_version } = header;
    if (model_version === modelVersion && terrain_version === terrainVersion) return;
    const wanted = `${model_version} ${terrain_version}`;
    if (fetching === wanted) return;
    fetching = wanted; // a fetch of an earlier model continues, but its result is dropped
    const current = () => fetching === wanted && !stopped;
    window.clearTimeout(retry);
    sceneState.value = { loading: true, robot: null, error: null };
    try {
      if (model_version !== modelVersion) {
        const fetched = await fetchModel((facts) => {
          if (current()) showSkeleton(facts);
        });
        if (!current()) return;
        showModel(fetched);
      }
      if (terrain_version !== terrainVersion) {
        const terrain = await callBytes('GET /api/scene/terrain.bin');
        if (!current()) return;
        viewer.peek()?.setTerrain(terrain);
        terrainVersion = terrain_version;
      }
      fetching = '';
      if (figure !== null || builtVersion === modelVersion) sceneState.value = LOADED;
    } catch (error) {
      if (!current()) return;
      fetching = '';
      sceneState.value = { ...LOADED, error: messageOf(error) };
      retry = window.setTimeout(() => void sync(), RETRY_MS);
    }
  };

  const showSkeleton = ({ version, robot, bodies: known }: SceneModel) => {
    sceneState.value = { ...sceneState.peek(), robot };
    viewer.peek()?.setSkeleton(
      robot,
      version,
      known.map(({ parent }) => parent),
    );
  };

  const showModel = ({ model, binary }: FetchedModel) => {
    modelVersion = model.version;
    bodies = model.bodies.map((body) => body.name);
    viewer.peek()?.setModel(model, binary);
    figure?.setParents(
      model.version,
      model.bodies.map((body) => body.parent),
    );
    const header = liveFrames.latest?.header;
    sceneFacts.value = {
      robot: model.robot,
      bodies: bodies.length,
      modelVersion,
      terrainVersion: header?.terrain_version ?? 0,
      n: header?.n ?? 1,
    };
    wire();
  };

  const wire = () => {
    const wiring = untracked(marks.wiring);
    if (wiring === null) return;
    const index = (name: string) => bodies.indexOf(name);
    viewer.peek()?.setWiring({
      anchor: index(wiring.anchor),
      keybodies: wiring.keybodies.map(index),
      feet: wiring.feet.map(index).filter((body) => body >= 0),
    });
  };

  const stopFrames = liveFrames.listen(({ header }: Frame) => {
    if (header.model_version !== modelVersion || header.terrain_version !== terrainVersion) void sync();
    const facts = sceneFacts.peek();
    if (facts === null || facts.n === header.n) return;
    sceneFacts.value = { ...facts, n: header.n };
    // Wait until the drawing thread has a frame with the new number of robots.
    window.setTimeout(() => viewer.peek()?.frameAll(), SETTLED_MS);
  });
  const stopWiring = effect(() => {
    marks.wiring();
    wire();
  });
  const stopLight = effect(() => {
    const name = marks.lit();
    viewer.peek()?.light(name === null ? -1 : bodies.indexOf(name));
  });

  const drawFigure = (why: string) => {
    if (stopped) return;
    viewer.peek()?.dispose();
    viewer.value = null;
    noWebGl.value = why;
    import('./stick-figure.ts').then(
      (part) => {
        if (stopped) return;
        figure = part.startStickFigure(canvas(), liveFrames);
        ready = true;
        modelVersion = -1;
        void sync();
      },
      (error: unknown) => failed('The stick figure could not be loaded', error),
    );
  };

  if (typeof HTMLCanvasElement.prototype.transferControlToOffscreen !== 'function') drawFigure('no OffscreenCanvas');
  else {
    const view = new SceneView(canvas(), labels, liveFrames, readTheme(), {
      ready: () => {
        ready = true;
        void sync();
      },
      failed: drawFigure,
      broken: (detail) => toast('error', 'The scene could not be drawn', detail),
      modelShown: (version) => {
        builtVersion = version;
        if (version === modelVersion && fetching === '') sceneState.value = LOADED;
      },
      modelFailed: (detail) => {
        sceneState.value = { ...LOADED, error: detail };
      },
      cameraRests: () => {
        cameraMoved.value += 1;
      },
      picked: marks.picked,
      nameOf: (robot) => robotNames.peek().nameOf(robot),
      thumbnail: keepThumbnail,
    });
    viewer.value = view;
  }

  return () => {
    stopped = true;
    window.clearTimeout(retry);
    stopFrames();
    stopWiring();
    stopLight();
    figure?.stop();
    viewer.peek()?.dispose();
    viewer.value = null;
  };
}

/** Stores the thumbnail of a robot in the browser's storage, for the list of robots. */
function keepThumbnail(id: string, picture: Blob): void {
  const reader = new FileReader();
  reader.onload = () => {
    thumbnails.value = { ...thumbnails.peek(), [id]: String(reader.result) };
    remember('thumbnails', JSON.stringify(thumbnails.peek()));
  };
  reader.readAsDataURL(picture);
}

function storedThumbnails(): Record<string, string> {
  try {
    const stored: unknown = JSON.parse(remembered('thumbnails') ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    const pictures = Object.entries(stored).filter(
      ([, url]) => typeof url === 'string' && url.startsWith('data:image/'),
    );
    return Object.fromEntries(pictures) as Record<string, string>;
  } catch {
    return {}; // stored by another version: discard the thumbnails
  }
}
thumbnails.value = storedThumbnails();

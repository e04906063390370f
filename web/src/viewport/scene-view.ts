import type { SceneModel } from '../../../src/protocol/schemas/robots.ts';
import type { LiveFrames } from '../net/live-frames.ts';
import type { SnapAxis } from '../scene/camera.ts';
import type { CameraPlace } from '../scene/camera-place.ts';
import type { WiredBodies } from '../scene/marks/overlays.ts';
import type { CaptureOrder, FromScene, Look, PictureSize, ToScene } from '../scene/messages.ts';
import type { Theme3d } from '../scene/palette.ts';
import { attachControls } from './controls.ts';
import { Labels, type NameOf } from './labels.ts';

/** Maximum number of frames that are sent to the drawing thread and not yet drawn. Of the waiting frames, only the
 *  newest is kept. */
const IN_FLIGHT = 2;

export interface SceneEvents {
  readonly ready: () => void;
  /** called if a picture could not be drawn; later pictures may succeed */
  readonly broken: (detail: string) => void;
  /** called if this browser cannot draw the scene */
  readonly failed: (detail: string) => void;
  readonly modelShown: (version: number) => void;
  readonly modelFailed: (detail: string) => void;
  readonly cameraRests: () => void;
  /** called after a click, with its position in the viewport, px; `body` is null if the click hit no body */
  readonly picked: (body: string | null, x: number, y: number, robot: number) => void;
  readonly thumbnail: (robot: string, picture: Blob) => void;
  readonly nameOf: NameOf;
}

function sizeOf(canvas: HTMLCanvasElement): PictureSize {
  return { width: canvas.clientWidth, height: canvas.clientHeight, ratio: window.devicePixelRatio };
}

/** The page's interface to the drawing thread. Sends frames and input to it, and shows labels and gizmo. */
export class SceneView {
  readonly #worker: Worker;
  readonly #frames: LiveFrames;
  readonly #labels: Labels;
  readonly #events: SceneEvents;
  readonly #stops: (() => void)[] = [];
  readonly #cameraWatchers = new Set<(azimuth: number, elevation: number) => void>();
  #place: CameraPlace | null = null;
  #alone = false;
  #inFlight = 0;
  #ready = false;
  #waiting: ArrayBuffer | null = null;
  /** requested pictures, in order of the requests */
  readonly #captured: { resolve: (picture: Blob) => void; reject: (error: Error) => void }[] = [];
  #takeCopy: ((picture: ImageBitmap) => void) | null = null;

  /** Transfers the canvas to the drawing thread; the page cannot draw on it afterwards. */
  constructor(canvas: HTMLCanvasElement, labels: HTMLElement, frames: LiveFrames, theme: Theme3d, events: SceneEvents) {
    this.#frames = frames;
    this.#events = events;
    this.#labels = new Labels(labels);
    this.#worker = new Worker(new URL('../scene/scene.worker.ts', import.meta.url), { type: 'module', name: 'scene' });
    this.#worker.onmessage = ({ data }: MessageEvent<FromScene>) => this.#take(data);
    this.#worker.onerror = (event) => {
      if (this.#ready) events.broken(event.message);
      else events.failed(event.message || 'the drawing code could not be loaded');
    };
    const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const offscreen = canvas.transferControlToOffscreen();
    this.#worker.postMessage(
      { type: 'start', canvas: offscreen, size: sizeOf(canvas), theme, reducedMotion } satisfies ToScene,
      [offscreen],
    );
    this.#stops.push(frames.listen((_, bytes) => this.#offer(bytes)));
    this.#stops.push(
      attachControls(canvas, {
        drag: (dx, dy, pan) => this.#send({ type: 'drag', dx, dy, pan }),
        zoom: (factor) => this.#send({ type: 'zoom', factor }),
        click: (x, y) => this.#send({ type: 'pick', x, y }),
        focus: (x, y) => this.#send({ type: 'focus', x, y }),
        hover: (at) => this.#send({ type: 'hover', at }),
      }),
    );
    const watch = new ResizeObserver(() => this.#send({ type: 'resize', size: sizeOf(canvas) }));
    watch.observe(canvas);
    this.#stops.push(() => watch.disconnect());
  }

  setModel(model: SceneModel, binary: ArrayBuffer): void {
    const textures = new URL('api/robot/texture/', document.baseURI).href;
    this.#send({ type: 'model', model, binary, textures }, [binary]);
  }

  setTerrain(binary: ArrayBuffer): void {
    this.#send({ type: 'terrain', binary }, [binary]);
  }

  setWiring(wired: WiredBodies): void {
    this.#send({ type: 'wiring', wired });
  }

  /** Highlights a body. @param body its index, −1 for none */
  light(body: number): void {
    this.#send({ type: 'light', body });
  }

  setLook(look: Look): void {
    this.#alone = look.alone;
    this.#send({ type: 'look', look });
  }

  /** Draws the robots of a model that is still loading as lines. @param parents parent index of each body, −1: none */
  setSkeleton(robot: string, version: number, parents: readonly number[]): void {
    this.#send({ type: 'skeleton', robot, version, parents });
  }

  restyle(theme: Theme3d): void {
    this.#send({ type: 'theme', theme });
  }

  setFollow(mode: CameraPlace['follow']): void {
    this.#send({ type: 'follow', mode });
  }

  /** Sets the widths of the left and right parts of the viewport that panels cover, px. */
  setInset(left: number, right: number): void {
    this.#send({ type: 'inset', left, right });
  }

  frameAll(): void {
    this.#send({ type: 'frame-all' });
  }

  snap(axis: SnapAxis): void {
    this.#send({ type: 'snap', axis });
  }

  placeCamera(place: CameraPlace): void {
    this.#send({ type: 'place', place });
  }

  /** Returns the position of the camera in the last picture; null before the first picture. */
  cameraPlace(): CameraPlace | null {
    return this.#place;
  }

  /** Calls `watcher` with the camera's angles for every picture. @returns a function that stops the calls */
  watchCamera(watcher: (azimuth: number, elevation: number) => void): () => void {
    this.#cameraWatchers.add(watcher);
    if (this.#place !== null) watcher(this.#place.azimuth, this.#place.elevation);
    return () => this.#cameraWatchers.delete(watcher);
  }

  /** Returns a picture of the scene as a PNG file. @throws Error if the browser cannot make one of this size */
  capture(order: CaptureOrder): Promise<Blob> {
    return new Promise((resolve, reject) => {
      this.#captured.push({ resolve, reject });
      this.#send({ type: 'capture', order });
    });
  }

  /** Calls `take` with a copy of every picture that is drawn from now on; `take` must close the copy.
   *  @returns a function that ends this */
  copies(order: CaptureOrder, take: (picture: ImageBitmap) => void): () => void {
    this.#takeCopy = take;
    this.#send({ type: 'record', order });
    return () => {
      this.#takeCopy = null;
      this.#send({ type: 'record', order: null });
    };
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#labels.dispose();
    this.#worker.terminate();
  }

  #offer(bytes: ArrayBuffer): void {
    if (this.#inFlight >= IN_FLIGHT) {
      if (this.#waiting !== null) this.#frames.stats.skipped += 1;
      this.#waiting = bytes;
      return;
    }
    this.#inFlight += 1;
    this.#send({ type: 'frame', bytes }, [bytes]);
  }

  #take(message: FromScene): void {
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#events.ready();
        break;
      case 'failed':
        this.#events.failed(message.detail);
        break;
      case 'taken': {
        this.#inFlight -= 1;
        const next = this.#waiting;
        this.#waiting = null;
        if (next !== null) this.#offer(next);
        break;
      }
      case 'model-shown':
        this.#events.modelShown(message.version);
        break;
      case 'model-failed':
        this.#events.modelFailed(message.detail);
        break;
      case 'drawn':
        this.#drawn(message);
        break;
      case 'camera-rests':
        this.#events.cameraRests();
        break;
      case 'captured':
        this.#captured.shift()?.resolve(message.picture);
        break;
      case 'capture-failed':
        this.#captured.shift()?.reject(new Error(message.detail));
        break;
      case 'copy':
        if (this.#takeCopy === null) message.picture.close();
        else this.#takeCopy(message.picture);
        this.#send({ type: 'copy-taken' });
        break;
      case 'picked':
        this.#events.picked(message.body, message.x, message.y, message.robot);
        break;
      case 'thumbnail':
        this.#events.thumbnail(message.robot, message.picture);
        break;
      default:
        message satisfies never;
    }
  }

  #drawn({ place, tags, labels, skipped, scriptMs, pictureMs, scale, calls }: FromScene & { type: 'drawn' }): void {
    const start = performance.now();
    const { stats } = this.#frames;
    this.#place = place;
    stats.skipped += skipped;
    stats.drawScriptMs = scriptMs;
    stats.drawMs = pictureMs;
    stats.scale = scale;
    stats.drawCalls = calls;
    this.#labels.update(labels);
    this.#labels.tags(this.#alone ? tags.slice(0, 1) : tags, this.#frames.latest?.header, this.#events.nameOf);
    for (const watcher of this.#cameraWatchers) watcher(place.azimuth, place.elevation);
    this.#frames.drew();
    this.#frames.spent(performance.now() - start);
  }

  #send(message: ToScene, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }
}

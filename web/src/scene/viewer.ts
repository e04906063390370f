import { Vector3 } from 'three';
import type { TerrainBinary } from '../../../src/protocol/binaries.ts';
import type { Frame } from '../../../src/protocol/frame.ts';
import type { CameraPlace } from '../logic/address.ts';
import type { SnapAxis } from '../logic/camera.ts';
import { DrawPacer } from '../logic/draw-pacer.ts';
import type { LiveFrames } from '../net/live-frames.ts';
import type { RobotGeometry } from './build-geometry.ts';
import { CameraRig, type Followed } from './camera-rig.ts';
import { ContactBlobs } from './contact-blobs.ts';
import { attachControls } from './controls.ts';
import { Labels } from './labels.ts';
import { Overlays, type WiredBodies } from './overlays.ts';
import { type Palette, readPalette } from './palette.ts';
import { pickBody, sceneBounds } from './pick.ts';
import { createRenderer, Fence } from './renderer.ts';
import { RobotView } from './robot-view.ts';
import { StageSet } from './stage.ts';
import { takeThumbnail } from './thumbnail.ts';

/** ms without change after which a coarse picture is drawn again at full resolution */
const STILL_MS = 220;
/** ms after which a moved camera counts as at rest */
const REST_MS = 300;
/** Pixels of a software renderer's still picture per CSS pixel: it has no anti-aliasing of its own. */
const SOFTWARE_STILL = 1.5;
const MAX_DPR = 2;

export interface ShownModel {
  readonly robot: string;
  readonly bodies: readonly string[];
  readonly geometry: RobotGeometry;
  readonly version: number;
}

export interface ViewerEvents {
  /** the camera came to rest elsewhere */
  readonly cameraMoved: () => void;
  readonly thumbnail: (robot: string, url: string) => void;
}

/** Draws the newest frame whenever something changed, and nothing while nothing does. */
export class Viewer {
  readonly #canvas: HTMLCanvasElement;
  readonly #frames: LiveFrames;
  readonly #events: ViewerEvents;
  readonly #drawing: ReturnType<typeof createRenderer>;
  readonly #fence: Fence;
  readonly #pacer: DrawPacer;
  readonly #stage: StageSet;
  readonly #robots = new RobotView();
  readonly #blobs = new ContactBlobs(this.#robots.poses);
  readonly #overlays = new Overlays();
  readonly #labels: Labels;
  readonly #rig = new CameraRig();
  readonly #cameraWatchers = new Set<(azimuth: number, elevation: number) => void>();
  readonly #stops: (() => void)[] = [];
  #palette: Palette = readPalette();
  #model: ShownModel | null = null;
  #shown: Frame | null = null;
  #place: CameraPlace | null = null;
  #framed = false;
  #n = 0;
  #extent = 0;
  #width = 0;
  #height = 0;
  #queued = 0;
  #dirty = true;
  #scale = 0;
  #lastDraw = 0;
  #lastChange = 0;
  #moving = false;
  #restTimer = 0;
  #stillTimer = 0;
  #thumbnailOf = '';

  /** @throws Error when the browser has no WebGL 2 */
  constructor(canvas: HTMLCanvasElement, labels: HTMLElement, frames: LiveFrames, events: ViewerEvents) {
    this.#canvas = canvas;
    this.#frames = frames;
    this.#events = events;
    this.#drawing = createRenderer(canvas);
    const { renderer, software } = this.#drawing;
    this.#fence = new Fence(renderer);
    this.#pacer = new DrawPacer(software);
    this.#stage = new StageSet(renderer, software);
    this.#stage.scene.add(this.#robots.group, this.#blobs.group, this.#overlays.group);
    this.#labels = new Labels(labels);
    this.restyle();
    this.#listen();
  }

  /** Shows another model, or the same one changed. The camera frames a robot that was not shown before. */
  setModel(model: ShownModel): void {
    const sameRobot = this.#model?.robot === model.robot;
    this.#model = model;
    this.#robots.setGeometry(model.geometry, this.#palette);
    this.#shown = null;
    if (!sameRobot) this.#framed = false;
    this.#change();
  }

  /** What the wiring markers mean. */
  setWiring(wired: WiredBodies): void {
    this.#overlays.wired = wired;
    this.#blobs.setFeet(wired.feet);
    this.#shown = null;
    this.#change();
  }

  setTerrain(terrain: TerrainBinary): void {
    this.#stage.setTerrain(terrain);
    this.#change();
  }

  /** Takes over the colours of the theme that is on. */
  restyle(): void {
    this.#palette = readPalette();
    this.#stage.restyle(this.#palette);
    this.#robots.restyle(this.#palette);
    this.#overlays.restyle(this.#palette);
    this.#shown = null;
    this.#change();
  }

  setFollow(mode: CameraPlace['follow']): void {
    this.#rig.follow = mode;
    this.#change();
  }

  /** Part of the viewport that something covers, px. */
  setInset({ left, right }: { readonly left: number; readonly right: number }): void {
    this.#rig.setInset(left, right);
    if (this.#place === null && !this.#movedByHand) this.#framed = false;
    this.#change();
  }
  #movedByHand = false;

  frameAll(): void {
    this.#frameScene(false);
    this.#movedByHand = false;
    this.#cameraChanged();
  }

  snap(axis: SnapAxis): void {
    this.#rig.snap(axis);
    this.#movedByHand = true;
    this.#cameraChanged();
  }

  placeCamera(place: CameraPlace): void {
    this.#place = place;
    this.#applyPlace();
    this.#change();
  }

  cameraPlace(): CameraPlace {
    return this.#rig.placeNow();
  }

  /** Told of the camera's angles with every picture. @returns ends it */
  watchCamera(watcher: (azimuth: number, elevation: number) => void): () => void {
    this.#cameraWatchers.add(watcher);
    watcher(this.#rig.orbit.azimuth, this.#rig.orbit.elevation);
    return () => this.#cameraWatchers.delete(watcher);
  }

  dispose(): void {
    cancelAnimationFrame(this.#queued);
    for (const stop of this.#stops) stop();
    this.#labels.clear();
    this.#robots.dispose();
    this.#blobs.dispose();
    this.#overlays.dispose();
    this.#stage.dispose();
    this.#drawing.renderer.dispose();
  }

  #listen(): void {
    this.#stops.push(this.#frames.listen((frame) => this.#arrived(frame)));
    this.#stops.push(
      attachControls(this.#canvas, {
        drag: (dx, dy, pan) => {
          this.#movedByHand = true;
          this.#rig.drag(dx, dy, pan);
          this.#cameraChanged();
        },
        zoom: (factor) => {
          this.#movedByHand = true;
          this.#rig.zoom(factor);
          this.#cameraChanged();
        },
        focus: (x, y) => this.#focus(x, y),
        hover: (at) => {
          this.#labels.hover(at);
          if (this.#overlays.markerCount > 0) this.#change();
        },
      }),
    );
    const resize = new ResizeObserver(() => this.#resize());
    resize.observe(this.#canvas);
    this.#stops.push(() => resize.disconnect());
    const stop = new AbortController();
    this.#canvas.addEventListener('webglcontextlost', (event) => event.preventDefault(), { signal: stop.signal });
    this.#canvas.addEventListener(
      'webglcontextrestored',
      () => {
        this.#fence.forget();
        this.#pacer.abandon();
        this.restyle();
      },
      { signal: stop.signal },
    );
    this.#stops.push(() => stop.abort());
  }

  #arrived(frame: Frame): void {
    const { model_version, n } = frame.header;
    if (this.#model === null || model_version !== this.#model.version) return; // its model is on the way
    if (this.#shown !== null && samePicture(this.#shown, frame)) return;
    if (n !== this.#n) {
      if (n > 1 !== this.#n > 1) this.#framed = false;
      this.#n = n;
    }
    this.#change();
  }

  #change(): void {
    this.#dirty = true;
    this.#lastChange = performance.now();
    this.#request();
  }

  #cameraChanged(): void {
    this.#change();
    window.clearTimeout(this.#restTimer);
    this.#restTimer = window.setTimeout(this.#events.cameraMoved, REST_MS);
  }

  #request(): void {
    if (this.#queued === 0) this.#queued = requestAnimationFrame(this.#tick);
  }

  #resize(): void {
    this.#width = this.#canvas.clientWidth;
    this.#height = this.#canvas.clientHeight;
    this.#scale = 0;
    this.#rig.resize(this.#width, this.#height);
    if (this.#place === null && !this.#movedByHand) this.#framed = false;
    this.#change();
  }

  /** Where the followed robot's root is; null before the first frame. */
  #followed(frame: Frame | null): Followed | null {
    if (frame === null || frame.header.n === 0) return null;
    const { header, blob } = frame;
    const robot = Math.min(header.n - 1, Math.max(0, header.focus));
    const p = header.poses.offset + 7 * robot * header.nbody;
    const [w, x, y, z] = [blob[p + 3]!, blob[p + 4]!, blob[p + 5]!, blob[p + 6]!];
    return {
      x: blob[p]!,
      y: blob[p + 1]!,
      z: blob[p + 2]!,
      yaw: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    };
  }

  #frameScene(turn: boolean): boolean {
    const frame = this.#frames.latest;
    const followed = this.#followed(frame);
    if (frame === null || followed === null || this.#model === null || this.#width === 0) return false;
    if (frame.header.model_version !== this.#model.version) return false;
    const box = sceneBounds(frame, this.#model.geometry.boxes);
    if (box === null) return false;
    const size = [box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!];
    const centre = [(box[0]! + box[3]!) / 2, (box[1]! + box[4]!) / 2, (box[2]! + box[5]!) / 2];
    const many = frame.header.n > 1;
    this.#extent = many ? 0.75 * Math.hypot(size[0]!, size[1]!) : 0;
    this.#rig.reanchor(followed);
    this.#rig.frame(size, centre, many, turn);
    this.#framed = true;
    return true;
  }

  #applyPlace(): void {
    const followed = this.#followed(this.#frames.latest);
    if (this.#place === null || followed === null || this.#model === null) return;
    this.#rig.place(this.#place, followed);
    this.#place = null;
    this.#movedByHand = true;
    this.#framed = true;
  }

  #focus(x: number, y: number): void {
    const frame = this.#frames.latest;
    if (frame === null || this.#model === null || frame.header.nbody !== this.#model.bodies.length) return;
    const { camera } = this.#rig;
    const far = new Vector3((2 * x) / this.#width - 1, 1 - (2 * y) / this.#height, 0.5).unproject(camera);
    const ray = far.sub(camera.position).normalize();
    const hit = pickBody(
      { origin: [camera.position.x, camera.position.y, camera.position.z], direction: [ray.x, ray.y, ray.z] },
      frame,
      this.#model.geometry.boxes,
    );
    if (hit === null) return;
    this.#movedByHand = true;
    this.#rig.centre(hit.point);
    this.#cameraChanged();
  }

  readonly #tick = (): void => {
    this.#queued = 0;
    const now = performance.now();
    if (this.#pacer.underWay && this.#fence.passed()) {
      this.#pacer.completed(now, this.#moving);
      this.#frames.stats.drawMs = this.#pacer.pictureMs;
      this.#frames.stats.scale = this.#pacer.scale;
    }
    if (this.#width === 0 || this.#height === 0) return;
    if (this.#dirty) {
      if (this.#pacer.mayDraw(now)) this.#draw(now, true);
      else this.#request();
    } else if (this.#pacer.underWay) this.#request();
  };

  #draw(now: number, moving: boolean): void {
    this.#dirty = false;
    this.#moving = moving;
    const frame = this.#frames.latest;
    const fits =
      frame !== null &&
      this.#model !== null &&
      frame.header.model_version === this.#model.version &&
      frame.header.nbody === this.#model.bodies.length;
    if (fits && frame !== this.#shown) this.#take(frame);
    if (this.#place !== null) this.#applyPlace();
    if (!this.#framed) this.#frameScene(!this.#movedByHand);
    const dt = Math.min(0.1, (now - this.#lastDraw) / 1000);
    this.#lastDraw = now;
    if (this.#rig.step(dt, this.#followed(fits ? frame : null))) this.#dirty = true;
    this.#rig.apply();
    const { camera, orbit } = this.#rig;
    this.#stage.place(orbit.target[0], orbit.target[1], camera, this.#extent);
    this.#setScale(moving);
    this.#drawing.renderer.render(this.#stage.scene, camera);
    this.#fence.set();
    this.#pacer.issued(now);
    if (this.#model !== null) {
      this.#labels.update(
        this.#overlays.markers,
        this.#overlays.markerCount,
        this.#model.bodies,
        camera,
        this.#width,
        this.#height,
      );
    }
    for (const watcher of this.#cameraWatchers) watcher(orbit.azimuth, orbit.elevation);
    if (fits) this.#frames.drew();
    this.#frames.spent(performance.now() - now);
    this.#request();
    if (moving) this.#refineLater();
    else this.#stillDone();
  }

  /** Takes a frame's poses and overlays over into what is drawn. */
  #take(frame: Frame): void {
    const { header, blob } = frame;
    this.#shown = frame;
    this.#robots.poses.write(blob, header.poses.offset, header.n, header.nbody);
    const ghosts = header.ghost?.n ?? 0;
    if (header.ghost !== null && ghosts > 0)
      this.#robots.ghostPoses.write(blob, header.ghost.offset, ghosts, header.nbody);
    this.#robots.setCount(header.n, ghosts);
    this.#blobs.update(this.#palette.dark, this.#stage.groundZ);
    this.#overlays.update(frame);
  }

  #setScale(moving: boolean): void {
    const dpr = Math.min(MAX_DPR, window.devicePixelRatio);
    const still = this.#drawing.software ? Math.max(dpr, SOFTWARE_STILL) : dpr;
    const scale = moving ? dpr * this.#pacer.scale : still;
    if (scale === this.#scale) return;
    this.#scale = scale;
    this.#drawing.renderer.setPixelRatio(scale);
    this.#drawing.renderer.setSize(this.#width, this.#height, false);
  }

  /** Draws at full resolution once the scene has stood still for a moment. */
  #refineLater(): void {
    window.clearTimeout(this.#stillTimer);
    const dpr = Math.min(MAX_DPR, window.devicePixelRatio);
    if (this.#scale >= dpr && !this.#drawing.software && this.#thumbnailDone()) return;
    this.#stillTimer = window.setTimeout(() => this.#refine(), STILL_MS);
  }

  #refine(): void {
    const now = performance.now();
    if (this.#dirty || now - this.#lastChange < STILL_MS || !this.#pacer.mayDraw(now) || this.#width === 0) {
      this.#refineLater();
      return;
    }
    this.#draw(now, false);
  }

  #thumbnailDone(): boolean {
    return this.#model === null || this.#thumbnailOf === `${this.#model.robot}@${this.#model.version}`;
  }

  /** The first still picture of a robot also gives its small one. */
  #stillDone(): void {
    const frame = this.#shown;
    if (this.#thumbnailDone() || this.#model === null || frame === null || frame.header.owner !== 'robots') return;
    const box = sceneBounds(frame, this.#model.geometry.boxes);
    if (box === null) return;
    this.#thumbnailOf = `${this.#model.robot}@${this.#model.version}`;
    this.#overlays.group.visible = false;
    const url = takeThumbnail(this.#drawing.renderer, this.#stage, box, this.#rig);
    this.#overlays.group.visible = true;
    this.#dirty = true;
    this.#lastChange = performance.now();
    this.#scale = 0;
    this.#request();
    if (url !== null) this.#events.thumbnail(this.#model.robot, url);
  }
}

/** Whether two frames look the same: equal poses and overlays. */
function samePicture(a: Frame, b: Frame): boolean {
  const x = a.blob;
  const y = b.blob;
  if (
    x.length !== y.length ||
    a.header.overlays.length !== b.header.overlays.length ||
    a.header.focus !== b.header.focus
  )
    return false;
  for (let k = 0; k < x.length; k++) if (x[k] !== y[k]) return false;
  return true;
}

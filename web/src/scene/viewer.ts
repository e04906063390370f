import type { TerrainBinary } from '../../../src/protocol/binaries.ts';
import type { Frame } from '../../../src/protocol/frame.ts';
import type { SnapAxis } from './camera.ts';
import type { CameraPlace } from './camera-place.ts';
import { CameraRig, followedIn } from './camera-rig.ts';
import { DrawPacer } from './draw-pacer.ts';
import { ContactBlobs } from './marks/contact-blobs.ts';
import { LabelLayout } from './marks/label-layout.ts';
import { Overlays, type WiredBodies } from './marks/overlays.ts';
import type { FromScene, PictureSize, ShownModel } from './messages.ts';
import { type Palette, paletteOf, type Theme3d } from './palette.ts';
import { type Hit, pickBody, rayThrough, rootPoints, sceneBounds } from './pick.ts';
import { createRenderer, type Drawing, Fence } from './renderer.ts';
import { RobotView } from './robot-view.ts';
import { StageSet } from './set/stage.ts';
import { takeThumbnail } from './thumbnail.ts';

/** Time without change after which a coarse picture is drawn again at full resolution, ms. */
const STILL_MS = 220;
/** Time without movement after which the camera counts as resting, ms. */
const REST_MS = 300;
/** Device px per CSS px for still pictures of a software renderer, which has no anti-aliasing. */
const SOFTWARE_STILL = 2;
const MAX_RATIO = 2;
/** With more robots than this, each is drawn with fewer triangles. */
const DETAILED = 8;

/** Draws the newest frame if something changed; otherwise does not draw. Runs in the drawing thread. */
export class Viewer {
  readonly #post: (message: FromScene) => void;
  readonly #drawing: Drawing;
  readonly #fence: Fence;
  readonly #pacer: DrawPacer;
  readonly #stage: StageSet;
  readonly #robots = new RobotView();
  readonly #blobs = new ContactBlobs(this.#robots.poses);
  readonly #overlays = new Overlays();
  readonly #labels = new LabelLayout();
  readonly #rig: CameraRig;
  #palette: Palette;
  #model: ShownModel | null = null;
  #latest: Frame | null = null;
  #shown: Frame | null = null;
  #skipped = 0;
  #place: CameraPlace | null = null;
  #framed = false;
  #movedByHand = false;
  #n = 0;
  #extent = 0;
  #size: PictureSize;
  #queued = false;
  #dirty = true;
  #scale = 0;
  #lastDraw = 0;
  #lastChange = 0;
  #moving = false;
  #restTimer: ReturnType<typeof setTimeout> | undefined;
  #stillTimer: ReturnType<typeof setTimeout> | undefined;
  #thumbnailOf = '';

  /** @throws Error if WebGL 2 is not available */
  constructor(
    canvas: OffscreenCanvas,
    size: PictureSize,
    theme: Theme3d,
    reducedMotion: boolean,
    post: (message: FromScene) => void,
  ) {
    this.#post = post;
    this.#size = size;
    this.#palette = paletteOf(theme);
    this.#rig = new CameraRig(reducedMotion);
    this.#drawing = createRenderer(canvas);
    const { renderer, software } = this.#drawing;
    this.#fence = new Fence(renderer);
    this.#pacer = new DrawPacer(software);
    this.#stage = new StageSet(renderer, software);
    this.#stage.scene.add(this.#robots.group, this.#blobs.group, this.#overlays.group);
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => {
      this.#fence.forget();
      this.#pacer.abandon();
      this.restyle(theme);
    });
    this.restyle(theme);
    this.resize(size);
  }

  /** Sets the newest frame; it is drawn with the next picture. */
  takeFrame(frame: Frame): void {
    if (this.#latest !== null && this.#latest !== this.#shown && this.#dirty) this.#skipped += 1;
    this.#latest = frame;
    const { model_version, n } = frame.header;
    if (this.#model === null || model_version !== this.#model.version) return; // its model is still loading
    if (this.#shown !== null && samePicture(this.#shown, frame)) return;
    if (n !== this.#n) {
      if (n > 1 !== this.#n > 1) this.#framed = false;
      this.#n = n;
    }
    this.#change();
  }

  /** Shows another model, or a changed version of the same model. Frames a robot that was not shown before. */
  setModel(model: ShownModel): void {
    if (this.#model?.robot !== model.robot) {
      this.#framed = false;
      this.#movedByHand = false;
    }
    this.#model = model;
    this.#robots.setGeometry(model.geometry, this.#palette);
    this.#shown = null;
    this.#change();
  }

  /** Sets which bodies are the anchor, the keybodies and the feet. The wiring markers are drawn on these bodies. */
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

  restyle(theme: Theme3d): void {
    this.#palette = paletteOf(theme);
    this.#stage.restyle(this.#palette);
    this.#robots.restyle(this.#palette);
    this.#overlays.restyle(this.#palette);
    this.#shown = null;
    this.#change();
  }

  setFollow(mode: CameraPlace['follow']): void {
    this.#rig.follow = mode;
    this.#cameraChanged(false);
  }

  /** Sets the widths, px, of the viewport's left and right parts that panels cover. */
  setInset(left: number, right: number): void {
    this.#rig.setInset(left, right);
    if (this.#place === null && !this.#movedByHand) this.#framed = false;
    this.#change();
  }

  resize(size: PictureSize): void {
    this.#size = size;
    this.#scale = 0;
    this.#rig.resize(size.width, size.height);
    if (this.#place === null && !this.#movedByHand) this.#framed = false;
    this.#change();
  }

  frameAll(): void {
    this.#frameScene(!this.#movedByHand);
    this.#movedByHand = false;
    this.#cameraChanged(false);
  }

  snap(axis: SnapAxis): void {
    this.#rig.snap(axis);
    this.#cameraChanged(true);
  }

  placeCamera(place: CameraPlace): void {
    this.#place = place;
    this.#applyPlace();
    this.#change();
  }

  drag(dx: number, dy: number, pan: boolean): void {
    this.#rig.drag(dx, dy, pan);
    this.#cameraChanged(true);
  }

  zoom(factor: number): void {
    this.#rig.zoom(factor);
    this.#cameraChanged(true);
  }

  hover(at: { readonly x: number; readonly y: number } | null): void {
    this.#labels.hover = at;
    if (this.#overlays.markerCount > 0) this.#change();
  }

  /** Centres the body under a point of the picture. @param x px @param y px */
  focus(x: number, y: number): void {
    const hit = this.#hitAt(x, y);
    if (hit === null) return;
    this.#rig.centre(hit.point);
    this.#cameraChanged(true);
  }

  /** Reports the body under a point of the picture. @param x px @param y px */
  pick(x: number, y: number): void {
    const hit = this.#hitAt(x, y);
    const body = hit === null ? null : (this.#model?.bodies[hit.body] ?? null);
    this.#post({ type: 'picked', body, robot: hit?.robot ?? -1, x, y });
  }

  /** @param tint tint bodies by their error @param alone show only the focused robot
   *  @param teams number of robots that get a colour of their own */
  setLook(tint: boolean, alone: boolean, teams: number): void {
    Object.assign(this.#robots, { tint, alone, teams });
    this.#shown = null;
    this.#change();
  }

  light(body: number): void {
    this.#robots.light(body);
    this.#change();
  }

  #hitAt(x: number, y: number): Hit | null {
    if (this.#shown === null || this.#model === null) return null;
    const { width, height } = this.#size;
    const ray = rayThrough(this.#rig.camera, (2 * x) / width - 1, 1 - (2 * y) / height);
    return pickBody(ray, this.#shown, this.#model.geometry.boxes, this.#robots.shown(this.#shown));
  }

  #change(): void {
    this.#dirty = true;
    this.#lastChange = performance.now();
    this.#request();
  }

  #cameraChanged(byHand: boolean): void {
    if (byHand) this.#movedByHand = true;
    this.#change();
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#post({ type: 'camera-rests' }), REST_MS);
  }

  #request(): void {
    if (this.#queued) return;
    this.#queued = true;
    requestAnimationFrame(this.#tick);
  }

  /** Returns whether the newest frame belongs to the loaded model. */
  #fits(frame: Frame | null): frame is Frame {
    return (
      frame !== null &&
      this.#model !== null &&
      frame.header.model_version === this.#model.version &&
      frame.header.nbody === this.#model.bodies.length
    );
  }

  #frameScene(turn: boolean): void {
    const frame = this.#latest;
    const followed = followedIn(frame);
    if (!this.#fits(frame) || followed === null || this.#model === null || this.#size.width === 0) return;
    const shown = this.#robots.shown(frame);
    const box = sceneBounds(frame, this.#model.geometry.boxes, shown);
    if (box === null) return;
    const many = shown[1] - shown[0] > 1;
    this.#extent = many ? 0.75 * Math.hypot(box[3]! - box[0]!, box[4]! - box[1]!) : 0;
    this.#rig.reanchor(followed);
    this.#rig.frame(box, turn, many ? rootPoints(frame, shown) : null);
    this.#framed = true;
  }

  #applyPlace(): void {
    const followed = followedIn(this.#latest);
    if (this.#place === null || followed === null || !this.#fits(this.#latest)) return;
    this.#rig.place(this.#place, followed);
    this.#place = null;
    this.#movedByHand = true;
    this.#framed = true;
  }

  readonly #tick = (): void => {
    this.#queued = false;
    const now = performance.now();
    if (this.#pacer.underWay && this.#fence.passed()) this.#pacer.completed(now, this.#moving);
    if (this.#size.width === 0 || this.#size.height === 0) return;
    if (this.#dirty) {
      if (this.#pacer.mayDraw(now)) this.#draw(now, true);
      else this.#request();
    } else if (this.#pacer.underWay) this.#request();
  };

  #draw(now: number, moving: boolean): void {
    this.#dirty = false;
    this.#moving = moving;
    const frame = this.#fits(this.#latest) ? this.#latest : null;
    if (frame !== null && frame !== this.#shown) this.#show(frame);
    if (this.#place !== null) this.#applyPlace();
    if (!this.#framed) this.#frameScene(!this.#movedByHand);
    const dt = Math.min(0.1, (now - this.#lastDraw) / 1000);
    this.#lastDraw = now;
    if (this.#rig.step(dt, followedIn(frame))) this.#dirty = true;
    this.#rig.apply();
    const { camera, orbit } = this.#rig;
    this.#stage.place(orbit.target[0], orbit.target[1], camera, this.#extent);
    this.#setScale(moving);
    this.#robots.setDetail(this.#n <= DETAILED && !(moving && this.#drawing.software));
    this.#drawing.renderer.render(this.#stage.scene, camera);
    this.#fence.set();
    this.#pacer.issued(now);
    this.#tellDrawn(now);
    this.#request();
    if (moving) this.#refineLater();
    else this.#stillDone();
  }

  #tellDrawn(start: number): void {
    const { markers, markerCount } = this.#overlays;
    const { width, height } = this.#size;
    const bodies = this.#model?.bodies ?? [];
    this.#post({
      type: 'drawn',
      place: this.#rig.placeNow(),
      tags: this.#labels.tags(this.#shown, this.#rig.camera, width, height),
      labels: this.#labels.place(markers, markerCount, bodies, this.#rig.camera, width, height),
      skipped: this.#skipped,
      scriptMs: performance.now() - start,
      pictureMs: this.#pacer.pictureMs,
      scale: this.#pacer.scale,
    });
    this.#skipped = 0;
  }

  /** Updates poses and overlays from a frame for the next picture. */
  #show(frame: Frame): void {
    const { header } = frame;
    const followed = this.#shown?.header.focus === header.focus ? null : followedIn(frame);
    if (followed !== null) this.#rig.reanchor(followed); // follow the other robot, starting from the camera's present place
    this.#shown = frame;
    this.#robots.show(frame);
    this.#blobs.update(this.#palette.dark, this.#stage.groundZ);
    this.#overlays.update(frame, this.#stage.groundZ);
  }

  #setScale(moving: boolean): void {
    const ratio = Math.min(MAX_RATIO, this.#size.ratio);
    const still = this.#drawing.software ? Math.max(ratio, SOFTWARE_STILL) : ratio;
    const scale = moving ? ratio * this.#pacer.scale : still;
    if (scale === this.#scale) return;
    this.#scale = scale;
    this.#drawing.renderer.setPixelRatio(scale);
    this.#drawing.renderer.setSize(this.#size.width, this.#size.height, false);
  }

  /** Draws at full resolution after the scene has not changed for STILL_MS. */
  #refineLater(): void {
    clearTimeout(this.#stillTimer);
    const fine = !this.#drawing.software && this.#scale >= Math.min(MAX_RATIO, this.#size.ratio);
    if (fine && this.#thumbnailDone()) return;
    this.#stillTimer = setTimeout(() => this.#refine(), STILL_MS);
  }

  #refine(): void {
    const now = performance.now();
    const still = !this.#dirty && now - this.#lastChange >= STILL_MS;
    if (!still || !this.#pacer.mayDraw(now) || this.#size.width === 0) this.#refineLater();
    else this.#draw(now, false);
  }

  #thumbnailDone(): boolean {
    return this.#model === null || this.#thumbnailOf === `${this.#model.robot}@${this.#model.version}`;
  }

  /** Takes the robot's thumbnail from its first still picture. */
  #stillDone(): void {
    const frame = this.#shown;
    const model = this.#model;
    if (this.#thumbnailDone() || model === null || frame === null || frame.header.owner !== 'robots') return;
    const box = sceneBounds(frame, model.geometry.boxes);
    if (box === null) return;
    this.#thumbnailOf = `${model.robot}@${model.version}`;
    this.#overlays.group.visible = false;
    const small = takeThumbnail(this.#drawing.renderer, this.#stage, box);
    this.#overlays.group.visible = true;
    this.#scale = 0;
    this.#change();
    small
      ?.convertToBlob({ type: 'image/webp', quality: 0.9 })
      .then((picture) => this.#post({ type: 'thumbnail', robot: model.robot, picture }))
      .catch((error: unknown) => console.warn('no picture of the robot for the list:', error));
  }
}

/** Returns whether two frames look the same: equal poses and overlays. */
function samePicture(a: Frame, b: Frame): boolean {
  const x = a.blob;
  const y = b.blob;
  if (x.length !== y.length || a.header.focus !== b.header.focus) return false;
  if (a.header.overlays.length !== b.header.overlays.length) return false;
  for (let k = 0; k < x.length; k++) if (x[k] !== y[k]) return false;
  return true;
}

import type { TerrainBinary } from '../../../src/protocol/binaries.ts';
import type { Frame } from '../../../src/protocol/frame.ts';
import { elapsedS, type SnapAxis } from './camera.ts';
import type { CameraPlace } from './camera-place.ts';
import { CameraRig, type Crew, followedIn } from './camera-rig.ts';
import { type SceneNow, takePicture } from './capture.ts';
import { DrawPacer } from './draw-pacer.ts';
import { type Drawable, drawable } from './drawable.ts';
import { ContactBlobs } from './marks/contact-blobs.ts';
import { LabelLayout } from './marks/label-layout.ts';
import { Overlays, type WiredBodies } from './marks/overlays.ts';
import { Skeleton } from './marks/skeleton.ts';
import type { CaptureOrder, FromScene, Look, PictureSize, ShownModel } from './messages.ts';
import { type Palette, paletteOf, type Theme3d } from './palette.ts';
import { type Hit, pickBody, type Range, rayThrough, rootPoints, sceneBounds } from './pick.ts';
import { createRenderer, type Drawing, Fence } from './renderer.ts';
import { RobotView } from './robot-view.ts';
import { StageSet } from './set/stage.ts';
import { takeThumbnail } from './thumbnail.ts';

/** Time without change after which a coarse picture is drawn again at full resolution, ms. */
const STILL_MS = 120;
/** Time without change after which a software renderer draws the picture once more with smooth edges, ms. */
const SMOOTH_MS = 600;
/** Time until the next attempt to draw a better picture while the renderer is busy or the scene changes, ms. */
const RETRY_MS = 40;
/** Time without movement after which the camera counts as resting, ms. */
const REST_MS = 300;
/** Device px per CSS px for still pictures of a software renderer, which has no anti-aliasing. */
const SOFTWARE_STILL = 2;
const MAX_RATIO = 2;
/** Maximum half width of the area with shadows, m. */
const MOST_EXTENT = 24;
/** With more robots than this, each is drawn with fewer triangles. */
const DETAILED = 8;

/** `moving`: as fine as the renderer can draw in time. `full`: at full resolution. `smooth`: also with smooth edges. */
type Quality = 'moving' | 'full' | 'smooth';

/** Draws the newest frame when something changed. Runs in the drawing thread. */
export class Viewer {
  readonly #post: (message: FromScene, transfer?: Transferable[]) => void;
  readonly #drawing: Drawing;
  readonly #fence: Fence;
  readonly #pacer: DrawPacer;
  readonly #stage: StageSet;
  readonly #robots = new RobotView();
  readonly #blobs = new ContactBlobs(this.#robots.poses);
  readonly #overlays = new Overlays();
  readonly #skeleton = new Skeleton();
  readonly #labels = new LabelLayout();
  readonly #rig: CameraRig;
  #palette: Palette;
  #model: ShownModel | null = null;
  #latest: Frame | null = null;
  #shown: Frame | null = null;
  /** what the last picture shows of the robots */
  #drawn: Drawable = 'nothing';
  #skipped = 0;
  #place: CameraPlace | null = null;
  #framed = false;
  #movedByHand = false;
  #n = 0;
  /** height of the robots, m */
  #tall = 1;
  #size: PictureSize;
  #queued = false;
  #dirty = true;
  #scale = 0;
  #lastDraw = 0;
  #lastChange = 0;
  /** first change since the last picture, ms; 0: none */
  #changedAt = 0;
  #quality: Quality = 'moving';
  /** device px per CSS px of a picture with smooth edges */
  readonly #smooth: number;
  #restTimer: ReturnType<typeof setTimeout> | undefined;
  #stillTimer: ReturnType<typeof setTimeout> | undefined;
  #thumbnailOf = '';
  readonly #captures: CaptureOrder[] = [];
  #recording: CaptureOrder | null = null;
  /** true while the page has not yet stored the last copy */
  #copyPosted = false;

  /** @throws Error if WebGL 2 is not available */
  constructor(
    canvas: OffscreenCanvas,
    size: PictureSize,
    theme: Theme3d,
    reducedMotion: boolean,
    post: (message: FromScene, transfer?: Transferable[]) => void,
  ) {
    this.#post = post;
    this.#size = size;
    this.#palette = paletteOf(theme);
    this.#rig = new CameraRig(reducedMotion);
    this.#drawing = createRenderer(canvas);
    const { renderer, software } = this.#drawing;
    this.#fence = new Fence(renderer);
    this.#pacer = new DrawPacer(software);
    this.#smooth = software ? SOFTWARE_STILL : 0;
    this.#stage = new StageSet(renderer, software);
    this.#stage.scene.add(this.#robots.group, this.#blobs.group, this.#overlays.group, this.#skeleton.mesh);
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => {
      this.#fence.forget();
      this.#pacer.abandon();
      this.restyle(theme);
    });
    this.restyle(theme);
    this.resize(size);
  }

  /** Sets the newest frame. The next picture shows it. */
  takeFrame(frame: Frame): void {
    if (this.#latest !== null && this.#latest !== this.#shown && this.#dirty) this.#skipped += 1;
    this.#latest = frame;
    const { model_version, n } = frame.header;
    const what = this.#drawable();
    if (what !== this.#drawn) this.#change();
    if (model_version !== this.#model?.version) {
      if (what === 'lines') this.#change();
      return; // The model of the frame is still loading.
    }
    if (this.#shown !== null && samePicture(this.#shown, frame)) return;
    if (n !== this.#n) {
      if (n > 1 !== this.#n > 1) this.#framed = false;
      this.#n = n;
    }
    this.#change();
  }

  /** Shows another model, or a changed version of the same model. Moves the camera so that a new robot fills the
   *  picture. */
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
    this.#robots.anchor = wired.anchor;
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
    this.#skeleton.restyle(this.#palette);
    this.#shown = null;
    this.#change();
  }

  setFollow(mode: CameraPlace['follow']): void {
    this.#rig.follow = mode;
    this.#cameraChanged(false);
  }

  /** Sets the widths, px, of the viewport's left and right parts that panels cover. */
  setInset(left: number, right: number): void {
    if (!this.#rig.setInset(left, right)) return; // the page sends the inset whenever it renders
    if (this.#place === null && !this.#movedByHand) this.#framed = false;
    this.#change();
  }

  resize(size: PictureSize): void {
    this.#size = size;
    this.#scale = 0;
    this.#rig.resize(size.width, size.height);
    this.#overlays.setHeight(size.height);
    this.#skeleton.setHeight(size.height);
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

  setLook(look: Look): void {
    Object.assign(this.#robots, look);
    this.#shown = null;
    this.#change();
  }

  /** Sets the parents of the bodies of a model that is still loading. Until its geometry arrives, its robots are drawn
   *  as lines. */
  setSkeleton(robot: string, version: number, parents: readonly number[]): void {
    this.#skeleton.setParents(robot, version, parents);
    this.#change();
  }

  /** Draws one picture of the scene for a file. It is posted as `captured`. */
  capture(order: CaptureOrder): void {
    this.#captures.push(order);
    this.#change();
  }

  /** Posts a copy of every picture as `copy`, one at a time. @param order null ends this */
  record(order: CaptureOrder | null): void {
    this.#recording = order;
    this.#copyPosted = false;
    this.#change();
  }

  copyTaken(): void {
    this.#copyPosted = false;
  }

  light(body: number): void {
    this.#robots.light(body);
    this.#change();
  }

  #hitAt(x: number, y: number): Hit | null {
    if (this.#shown === null || this.#model === null || this.#drawn !== 'model') return null;
    const { width, height } = this.#size;
    const ray = rayThrough(this.#rig.camera, (2 * x) / width - 1, 1 - (2 * y) / height);
    return pickBody(ray, this.#shown, this.#model.geometry.boxes, this.#robots.shown(this.#shown));
  }

  #change(): void {
    this.#dirty = true;
    this.#lastChange = performance.now();
    if (this.#changedAt === 0) this.#changedAt = this.#lastChange;
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

  #drawable(): Drawable {
    const model = this.#model;
    const shown = this.#shown;
    const header = this.#latest?.header ?? null;
    if (model === null) return drawable(header, null, this.#skeleton.model);
    const owner = shown?.header.owner ?? 'robots';
    const { robot, version, bodies } = model;
    const what = drawable(header, { robot, version, owner, nbody: bodies.length }, this.#skeleton.model);
    // without a frame of its own, the geometry has no pose
    return what === 'model' && shown === null && !this.#fits(this.#latest) ? 'nothing' : what;
  }

  #frameScene(turn: boolean): void {
    const frame = this.#latest;
    const followed = followedIn(frame);
    if (frame === null || followed === null || this.#size.width === 0) return;
    const shown = this.#robots.shown(frame);
    const box = this.#boundsOf(frame, shown);
    if (box === null) return;
    const many = shown[1] - shown[0] > 1;
    this.#tall = box[5]! - box[2]!;
    this.#rig.reanchor(followed);
    this.#rig.frame(box, turn, many ? this.#crewOf(frame) : null);
    this.#framed = true;
  }

  /** Returns the bounds of the robots, (6,) m; while their geometry is loading, of the origins of their bodies. */
  #boundsOf(frame: Frame, shown: Range): Float32Array | null {
    if (this.#fits(frame)) return sceneBounds(frame, this.#model!.geometry.boxes, shown);
    return this.#skeleton.fits(frame) ? Skeleton.bounds(frame) : null;
  }

  #crewOf(frame: Frame): Crew {
    const shown = this.#robots.shown(frame);
    const { owner, focus } = frame.header;
    return { roots: rootPoints(frame, shown), focus: owner === 'play' ? focus - shown[0] : -1, tall: this.#tall };
  }

  /** Returns the robots that the camera keeps in view; null for one robot, and after the user moved the camera. */
  #held(frame: Frame | null): Crew | null {
    if (frame === null || this.#movedByHand || !this.#framed) return null;
    const [first, end] = this.#robots.shown(frame);
    return end - first > 1 ? this.#crewOf(frame) : null;
  }

  /** Returns the half width of the square around the camera's target that several robots need, m, in steps of 0.5 m so
   *  that shadows do not flicker; 0 for one robot. */
  #spread(frame: Frame): number {
    const [first, end] = this.#robots.shown(frame);
    if (end - first < 2) return 0;
    const [x, y] = this.#rig.orbit.target;
    const { poses, nbody } = frame.header;
    let most = 0;
    for (let robot = first; robot < end; robot++) {
      const p = poses.offset + 7 * nbody * robot;
      most = Math.max(most, Math.abs(frame.blob[p]! - x), Math.abs(frame.blob[p + 1]! - y));
    }
    return Math.min(MOST_EXTENT, Math.ceil(2 * (most + this.#tall)) / 2);
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
    if (this.#pacer.underWay && this.#fence.passed()) this.#pacer.completed(now, this.#quality === 'moving');
    if (this.#size.width === 0 || this.#size.height === 0) return;
    if (this.#dirty) {
      if (this.#pacer.mayDraw(now)) this.#draw(now, 'moving');
      else this.#request();
    } else if (this.#pacer.underWay) this.#request();
  };

  #draw(now: number, quality: Quality): void {
    this.#dirty = false;
    this.#quality = quality;
    const latest = this.#latest;
    const frame = this.#fits(latest) ? latest : null;
    this.#drawn = this.#drawable();
    this.#skeleton.update(this.#drawn === 'lines' ? latest : null);
    for (const { group } of [this.#robots, this.#blobs, this.#overlays]) group.visible = this.#drawn === 'model';
    if (frame !== null && frame !== this.#shown) this.#show(frame);
    if (this.#place !== null) this.#applyPlace();
    if (!this.#framed) this.#frameScene(!this.#movedByHand);
    const dt = elapsedS(now, this.#lastDraw, this.#changedAt, REST_MS);
    this.#lastDraw = now;
    this.#changedAt = 0;
    if (this.#rig.step(dt, followedIn(frame), this.#held(frame))) this.#dirty = true;
    this.#rig.apply();
    const { camera, orbit } = this.#rig;
    const extent = frame === null ? 0 : this.#spread(frame);
    this.#captureNow({ renderer: this.#drawing.renderer, stage: this.#stage, camera, target: orbit.target, extent });
    // draw the thumbnail before the picture, which then covers its corner
    if (quality === 'smooth') this.#thumbnail();
    this.#stage.place(orbit.target[0], orbit.target[1], camera, extent);
    this.#setScale(quality);
    this.#robots.setDetail(this.#n <= DETAILED && !(quality === 'moving' && this.#drawing.software));
    this.#drawing.renderer.render(this.#stage.scene, camera);
    this.#fence.set();
    this.#pacer.issued(now);
    this.#tellDrawn(now);
    this.#request();
    if (quality !== 'smooth') this.#refineLater();
  }

  /** Draws the requested pictures. The scene itself is drawn afterwards, in the same task. */
  #captureNow(now: SceneNow): void {
    const captures = this.#captures.splice(0);
    const recording = this.#copyPosted ? null : this.#recording;
    if (captures.length === 0 && recording === null) return;
    this.#robots.setDetail(this.#n <= DETAILED);
    try {
      for (const order of captures) {
        const failed = (error: unknown) => this.#post({ type: 'capture-failed', detail: String(error) });
        takePicture(now, order)
          .convertToBlob({ type: 'image/png' })
          .then((picture) => this.#post({ type: 'captured', picture }), failed);
      }
      if (recording !== null) {
        const picture = takePicture(now, recording).transferToImageBitmap();
        this.#copyPosted = true;
        this.#post({ type: 'copy', picture }, [picture]);
      }
    } catch (error) {
      this.#recording = null;
      this.#post({ type: 'capture-failed', detail: error instanceof Error ? error.message : String(error) });
    }
    this.#scale = 0; // the size of the canvas has changed
  }

  #tellDrawn(start: number): void {
    const { markers, markerCount } = this.#overlays;
    const { width, height } = this.#size;
    const bodies = this.#model?.bodies ?? [];
    const named = this.#drawn === 'model';
    this.#post({
      type: 'drawn',
      place: this.#rig.placeNow(),
      tags: this.#labels.tags(named ? this.#shown : null, this.#rig.camera, width, height),
      labels: this.#labels.place(markers, named ? markerCount : 0, bodies, this.#rig.camera, width, height),
      skipped: this.#skipped,
      scriptMs: performance.now() - start,
      pictureMs: this.#pacer.pictureMs,
      scale: this.#scale / this.#ratio,
      calls: this.#drawing.renderer.info.render.calls,
    });
    this.#skipped = 0;
  }

  /** Updates poses and overlays from a frame for the next picture. */
  #show(frame: Frame): void {
    const { header } = frame;
    const followed = this.#shown?.header.focus === header.focus ? null : followedIn(frame);
    // follow the newly focused robot, starting from the camera's present place
    if (followed !== null) this.#rig.reanchor(followed);
    this.#shown = frame;
    this.#robots.show(frame);
    this.#blobs.update(this.#palette.dark, this.#stage.groundZ);
    this.#overlays.update(frame, this.#stage.groundZ);
  }

  /** device px per CSS px of a picture at full resolution */
  get #ratio(): number {
    return Math.min(MAX_RATIO, this.#size.ratio);
  }

  #setScale(quality: Quality): void {
    const ratio = this.#ratio;
    const scale =
      quality === 'moving' ? ratio * this.#pacer.scale : quality === 'full' ? ratio : Math.max(ratio, this.#smooth);
    if (scale === this.#scale) return;
    this.#scale = scale;
    this.#stage.setPixels(scale / ratio);
    this.#drawing.renderer.setPixelRatio(scale);
    this.#drawing.renderer.setSize(this.#size.width, this.#size.height, false);
  }

  /** Draws a better picture after the scene has not changed for a while: first at full resolution, then, on a software
   *  renderer, with smooth edges. */
  #refineLater(): void {
    clearTimeout(this.#stillTimer);
    const { software } = this.#drawing;
    const coarse = this.#quality === 'moving' && (software || this.#scale < this.#ratio);
    if (!coarse && this.#smooth <= this.#ratio && this.#thumbnailDone()) return;
    const next: Quality = coarse ? 'full' : 'smooth';
    const wait = next === 'full' ? STILL_MS : SMOOTH_MS;
    this.#stillTimer = setTimeout(() => this.#refine(next, wait), wait);
  }

  #refine(next: Quality, wait: number): void {
    const now = performance.now();
    if (this.#pacer.underWay && this.#fence.passed()) this.#pacer.completed(now, this.#quality === 'moving');
    const still = !this.#dirty && now - this.#lastChange >= wait;
    if (!still || this.#pacer.underWay || this.#size.width === 0) {
      clearTimeout(this.#stillTimer);
      this.#stillTimer = setTimeout(() => this.#refine(next, wait), RETRY_MS);
    } else this.#draw(now, next);
  }

  #thumbnailDone(): boolean {
    return this.#model === null || this.#thumbnailOf === `${this.#model.robot}@${this.#model.version}`;
  }

  /** Takes the robot's thumbnail, once for each model, when the scene does not move. */
  #thumbnail(): void {
    const frame = this.#shown;
    const model = this.#model;
    if (this.#thumbnailDone() || model === null || frame === null || !this.#fits(this.#latest)) return;
    if (frame.header.owner !== 'robots') return;
    const box = sceneBounds(frame, model.geometry.boxes);
    if (box === null) return;
    this.#thumbnailOf = `${model.robot}@${model.version}`;
    this.#overlays.group.visible = false;
    const small = takeThumbnail(this.#drawing.renderer, this.#stage, box);
    this.#overlays.group.visible = true;
    small
      ?.convertToBlob({ type: 'image/webp', quality: 0.9 })
      .then((picture) => this.#post({ type: 'thumbnail', robot: model.robot, picture }))
      .catch((error: unknown) => console.warn('the picture of the robot for the list could not be drawn:', error));
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

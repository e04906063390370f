import { type PerspectiveCamera, Vector3 } from 'three';
import type { Frame } from '../../../../src/protocol/frame.ts';
import type { PlacedLabel, PlacedTag } from '../messages.ts';
import { type Marker, topsIn } from './overlays.ts';

/** Maximum number of labels, without the label under the pointer. */
const AT_REST = 6;
/** Distance between a marker and its label, px. */
const REACH_X = 88;
const REACH_Y = 26;
const HOVER_PX = 18;
/** Minimum distance of labels on one side; closer labels would overlap, px. */
const LINE_PX = 22;
/** Height of a robot's tag above its topmost body, m. */
const TAG_M = 0.2;
/** Minimum width of the picture for labels, px. In a narrower picture they would hide the robot. */
const MIN_WIDTH = 480;

export interface ScreenMarker {
  readonly marker: Pick<Marker, 'body' | 'kind'>;
  /** px */
  readonly x: number;
  readonly y: number;
}

/** Chooses and places the names of wired bodies. The choice stays the same while the set of markers is the same. */
export class LabelLayout {
  readonly #point = new Vector3();
  #chosen: readonly number[] = [];
  #chosenFor = '';
  hover: { readonly x: number; readonly y: number } | null = null;

  /** Returns the positions of the robots' tags, px, the focused robot first; none if the scene has one robot. Leaves
   *  out robots behind the camera. */
  tags(frame: Frame | null, camera: PerspectiveCamera, width: number, height: number): PlacedTag[] {
    const tops = frame === null ? [] : topsIn(frame);
    const placed: PlacedTag[] = [];
    for (const { robot, x, y, top } of tops) {
      const p = this.#point.set(x, y, top + TAG_M).project(camera);
      if (p.z <= 1) placed.push({ robot, x: (p.x * 0.5 + 0.5) * width, y: (0.5 - p.y * 0.5) * height });
    }
    return placed;
  }

  /** @param count number of valid markers @param names of the bodies */
  // biome-ignore lint/complexity/useMaxParams: runs per picture: an object of arguments would be allocated each time
  place(
    markers: readonly Marker[],
    count: number,
    names: readonly string[],
    camera: PerspectiveCamera,
    width: number,
    height: number,
  ): PlacedLabel[] {
    if (count === 0 || width < MIN_WIDTH) return [];
    const points = markers.slice(0, count).map((marker) => {
      const p = this.#point.set(marker.x, marker.y, marker.z).project(camera);
      return { marker, x: (p.x * 0.5 + 0.5) * width, y: (0.5 - p.y * 0.5) * height };
    });
    const ids = points.map(({ marker }) => marker.body).join();
    if (ids !== this.#chosenFor) {
      this.#chosen = chooseLabels(points);
      this.#chosenFor = ids;
    }
    const hovered = nearestTo(points, this.hover);
    return arrange(points, hovered < 0 ? this.#chosen : [...this.#chosen, hovered], hovered, names);
  }
}

function nearestTo(points: readonly ScreenMarker[], to: { readonly x: number; readonly y: number } | null): number {
  if (to === null) return -1;
  let best = -1;
  let least = HOVER_PX;
  for (const [k, point] of points.entries()) {
    const away = Math.hypot(point.x - to.x, point.y - to.y);
    if (away >= least) continue;
    least = away;
    best = k;
  }
  return best;
}

/** Places the labels of the chosen markers outwards from the robot's middle, so that they do not overlap. */
export function arrange(
  points: readonly ScreenMarker[],
  chosen: readonly number[],
  hovered: number,
  names: readonly string[],
): PlacedLabel[] {
  const centre = points.reduce((sum, point) => sum + point.x, 0) / Math.max(1, points.length);
  const placed: PlacedLabel[] = [];
  for (const index of chosen) {
    const point = points[index];
    const name = point === undefined ? undefined : names[point.marker.body];
    if (point === undefined || name === undefined || placed.some((other) => other.name === name)) continue;
    const x = point.x + (point.x < centre ? -REACH_X : REACH_X);
    let y = point.y - REACH_Y;
    while (placed.some((other) => Math.abs(other.y - y) < LINE_PX && other.x < centre === x < centre)) y += LINE_PX;
    placed.push({ name, kind: point.marker.kind, fromX: point.x, fromY: point.y, x, y, hot: index === hovered });
  }
  return placed;
}

/** Chooses at most six labels: first the anchor and the feet, then the key bodies farthest from those chosen. */
export function chooseLabels(points: readonly ScreenMarker[]): number[] {
  const chosen = points.flatMap(({ marker }, k) => (marker.kind === 'keybody' ? [] : [k])).slice(0, AT_REST);
  const rest = points.flatMap(({ marker }, k) => (marker.kind === 'keybody' ? [k] : []));
  while (chosen.length < AT_REST && rest.length > 0) {
    let best = 0;
    let most = -1;
    for (const [k, index] of rest.entries()) {
      const point = points[index]!;
      const away = Math.min(
        ...chosen.map((other) => Math.hypot(points[other]!.x - point.x, points[other]!.y - point.y)),
      );
      if (away <= most) continue;
      most = away;
      best = k;
    }
    chosen.push(...rest.splice(best, 1));
  }
  return chosen;
}

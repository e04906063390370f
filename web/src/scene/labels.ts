import { type PerspectiveCamera, Vector3 } from 'three';
import type { Marker, MarkerKind } from './overlays.ts';

/** At rest no more than this many labels are in the scene. */
const AT_REST = 6;
/** px between a marker and its label */
const REACH_X = 88;
const REACH_Y = 26;
const HOVER_PX = 18;

interface Placed {
  readonly root: HTMLElement;
  readonly leader: HTMLElement;
}

const KIND_WORD: Readonly<Record<MarkerKind, string>> = { anchor: 'anchor', foot: '', keybody: '' };

/** Names of wired bodies beside the robot, tied to their markers by a thin line. HTML over the canvas: text stays sharp. */
export class Labels {
  readonly #host: HTMLElement;
  readonly #shown = new Map<string, Placed>();
  readonly #point = new Vector3();
  #chosen: number[] = [];
  #chosenFor = '';
  #pointer: { x: number; y: number } | null = null;

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** px in the viewport; null while the pointer is elsewhere. */
  hover(pointer: { x: number; y: number } | null): void {
    this.#pointer = pointer;
  }

  /** @param names of the bodies @param count of valid markers */
  update(
    markers: readonly Marker[],
    count: number,
    names: readonly string[],
    camera: PerspectiveCamera,
    width: number,
    height: number,
  ): void {
    if (count === 0 || width < 480) return this.clear();
    const points = markers.slice(0, count).map((marker) => {
      const p = this.#point.set(marker.x, marker.y, marker.z).project(camera);
      return { marker, x: (p.x * 0.5 + 0.5) * width, y: (0.5 - p.y * 0.5) * height, ahead: p.z < 1 };
    });
    const ids = markers
      .slice(0, count)
      .map((marker) => marker.body)
      .join();
    if (ids !== this.#chosenFor) {
      this.#chosen = chooseLabels(points);
      this.#chosenFor = ids;
    }
    const centre = points.reduce((sum, point) => sum + point.x, 0) / points.length;
    const hovered = this.#nearest(points);
    const wanted = new Set<string>();
    const used: { x: number; y: number }[] = [];
    for (const index of hovered < 0 ? this.#chosen : [...this.#chosen, hovered]) {
      const point = points[index];
      if (point === undefined || !point.ahead) continue;
      const name = names[point.marker.body];
      if (name === undefined || wanted.has(name)) continue;
      wanted.add(name);
      const side = point.x < centre ? -1 : 1;
      const x = point.x + side * REACH_X;
      let y = point.y - REACH_Y;
      while (used.some((other) => Math.abs(other.y - y) < 22 && Math.abs(other.x - x) < 150)) y += 22;
      used.push({ x, y });
      this.#place(name, point.marker.kind, point.x, point.y, x, y, side, index === hovered);
    }
    for (const [name, placed] of this.#shown) {
      if (wanted.has(name)) continue;
      placed.root.remove();
      placed.leader.remove();
      this.#shown.delete(name);
    }
  }

  clear(): void {
    if (this.#shown.size === 0) return;
    this.#host.replaceChildren();
    this.#shown.clear();
  }

  #nearest(points: readonly { readonly x: number; readonly y: number }[]): number {
    const pointer = this.#pointer;
    if (pointer === null) return -1;
    let best = -1;
    let least = HOVER_PX;
    for (const [k, point] of points.entries()) {
      const away = Math.hypot(point.x - pointer.x, point.y - pointer.y);
      if (away < least) {
        least = away;
        best = k;
      }
    }
    return best;
  }

  #place(
    name: string,
    kind: MarkerKind,
    px: number,
    py: number,
    x: number,
    y: number,
    side: number,
    hot: boolean,
  ): void {
    let placed = this.#shown.get(name);
    if (placed === undefined) {
      const root = document.createElement('span');
      root.className = 'label';
      const dot = document.createElement('span');
      dot.className = `dot dot-${kind}`;
      root.append(dot, name);
      if (KIND_WORD[kind] !== '') {
        const word = document.createElement('span');
        word.className = 'dim';
        word.textContent = ` ${KIND_WORD[kind]}`;
        root.append(word);
      }
      const leader = document.createElement('span');
      leader.className = `leader leader-${kind}`;
      this.#host.append(leader, root);
      placed = { root, leader };
      this.#shown.set(name, placed);
    }
    placed.root.classList.toggle('hot', hot);
    placed.root.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(${side < 0 ? '-100%' : '0'}, -50%)`;
    const length = Math.hypot(x - px, y - py);
    const angle = Math.atan2(y - py, x - px);
    placed.leader.style.width = `${length.toFixed(1)}px`;
    placed.leader.style.transform = `translate(${px.toFixed(1)}px, ${py.toFixed(1)}px) rotate(${angle.toFixed(4)}rad)`;
  }
}

/** Anchor and feet first, then the key bodies farthest from those chosen: six names spread over the robot. */
export function chooseLabels(
  points: readonly { readonly marker: Marker; readonly x: number; readonly y: number }[],
): number[] {
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
      if (away > most) {
        most = away;
        best = k;
      }
    }
    chosen.push(...rest.splice(best, 1));
  }
  return chosen;
}

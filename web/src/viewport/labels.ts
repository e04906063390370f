import type { FrameHeader } from '../../../src/protocol/frame.ts';
import type { PlacedLabel, PlacedTag } from '../scene/messages.ts';
import { whole } from '../ui/format.ts';

interface Shown {
  readonly root: HTMLElement;
  readonly leader: HTMLElement;
}

/** Name of a robot among several. */
export interface RobotName {
  readonly text: string;
  /** index of its own colour; null: no colour of its own */
  readonly team: number | null;
}
export type NameOf = (robot: number) => RobotName | null;

/** Place of a tag: middle of its lower edge, and its width, px. */
interface Box {
  readonly x: number;
  y: number;
  readonly width: number;
}

interface Tag {
  readonly root: HTMLElement;
  readonly dot: HTMLElement;
  readonly env: HTMLElement;
  readonly clip: HTMLElement;
  /** width, px; measured again when the length of the text changes */
  width: number;
}

/** Minimum distance of a tag from the edges of the picture, px. */
const EDGE = 8;
/** Height of a tag with the space to the next one, px. */
const TAG_PX = 25;

/** Shows the names of wired bodies beside the robot. A thin line connects each name with its marker. HTML over the
 *  canvas keeps the text sharp. */
export class Labels {
  readonly #host: HTMLElement;
  readonly #shown = new Map<string, Shown>();
  readonly #watch: ResizeObserver;
  /** by robot */
  readonly #tags = new Map<number, Tag>();
  /** width of the picture, px */
  #room = 0;

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#watch = new ResizeObserver(() => {
      this.#room = host.clientWidth;
    });
    this.#watch.observe(host);
  }

  /** Removes all labels and stops observing. */
  dispose(): void {
    this.#watch.disconnect();
    this.update([]);
    for (const { root } of this.#tags.values()) root.remove();
    this.#tags.clear();
  }

  update(labels: readonly PlacedLabel[]): void {
    if (labels.length === 0 && this.#shown.size === 0) return;
    for (const label of labels) this.#place(label, this.#shown.get(label.name) ?? this.#add(label));
    if (this.#shown.size === labels.length) return;
    const names = new Set(labels.map((label) => label.name));
    for (const [name, { root, leader }] of this.#shown) {
      if (names.has(name)) continue;
      root.remove();
      leader.remove();
      this.#shown.delete(name);
    }
  }

  /** Shows the tags of several robots. The focused robot's tag also names its motion. Overlapping tags of robots
   *  with a colour of their own are stacked; other overlapping tags are left out. */
  tags(places: readonly PlacedTag[], header: FrameHeader | undefined, nameOf: NameOf): void {
    const taken: Box[] = [];
    const shown = new Set<Tag>();
    for (const place of header === undefined ? [] : places) {
      const { robot } = place;
      const focused = header!.owner === 'play' && robot === header!.focus;
      const name = nameOf(robot) ?? (focused ? { text: `Env ${robot}`, team: null } : null);
      if (name === null) continue;
      const tag = this.#tags.get(robot) ?? this.#addTag(robot);
      this.#write(tag, name, focused ? motionOf(header!) : '');
      const at = this.#freePlace(place, tag, taken, name.team !== null);
      if (at === null) continue;
      taken.push(at);
      shown.add(tag);
      this.#move(tag, place, at);
      tag.root.classList.toggle('focused', focused);
    }
    for (const tag of this.#tags.values()) if (tag.root.hidden === shown.has(tag)) tag.root.hidden = !shown.has(tag);
  }

  #write(tag: Tag, { text, team }: RobotName, motion: string): void {
    const { root, dot, env, clip } = tag;
    const resized = text.length !== env.textContent.length || motion.length !== clip.textContent.length;
    if (env.textContent !== text) env.textContent = text;
    if (clip.textContent !== motion) clip.textContent = motion;
    const kind = `dot ${team === null ? 'dot-accent' : `dot-c${team + 1}`}`;
    if (dot.className !== kind) dot.className = kind;
    if (!resized) return;
    root.hidden = false;
    tag.width = root.offsetWidth;
  }

  /** Returns a place for a tag in the picture that does not overlap another tag; null if no place is free.
   *  @param stacked whether the tag may move up */
  #freePlace({ x: wanted, y }: PlacedTag, { width }: Tag, taken: readonly Box[], stacked: boolean): Box | null {
    // Near the edges, the tag is moved into the picture. Its line stays over the robot.
    const reach = width / 2 + EDGE;
    const x = Math.max(reach, Math.min(this.#room - reach, wanted));
    const box = { x, y, width };
    const overlaps = (other: Box) =>
      Math.abs(other.x - x) < (other.width + width) / 2 + EDGE && Math.abs(other.y - box.y) < TAG_PX;
    for (let k = 0; taken.some(overlaps); k++) {
      if (!stacked || k > taken.length) return null;
      box.y -= TAG_PX;
    }
    return box;
  }

  #move({ root }: Tag, { x: wanted, y: robot }: PlacedTag, { x, y }: Box): void {
    root.style.setProperty('--aside', `${(wanted - x).toFixed(1)}px`);
    root.style.setProperty('--down', `${(robot - y).toFixed(1)}px`);
    root.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -100%)`;
  }

  #addTag(robot: number): Tag {
    const root = document.createElement('span');
    root.className = 'label env-tag';
    const dot = document.createElement('span');
    dot.className = 'dot dot-accent';
    const env = document.createElement('b');
    const clip = document.createElement('span');
    clip.className = 'dim num';
    root.append(dot, env, clip);
    this.#host.append(root);
    root.hidden = true;
    const tag = { root, dot, env, clip, width: 0 };
    this.#tags.set(robot, tag);
    return tag;
  }

  #add({ name, kind }: PlacedLabel): Shown {
    const root = document.createElement('span');
    root.className = 'label';
    const dot = document.createElement('span');
    dot.className = `dot dot-${kind}`;
    root.append(dot, name);
    if (kind === 'anchor') {
      const word = document.createElement('span');
      word.className = 'dim';
      word.textContent = 'anchor';
      root.append(word);
    }
    const leader = document.createElement('span');
    leader.className = `leader leader-${kind}`;
    this.#host.append(leader, root);
    const shown = { root, leader };
    this.#shown.set(name, shown);
    return shown;
  }

  #place({ fromX, fromY, x, y, hot }: PlacedLabel, { root, leader }: Shown): void {
    root.classList.toggle('hot', hot);
    root.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(${x < fromX ? '-100%' : '0'}, -50%)`;
    leader.style.width = `${Math.hypot(x - fromX, y - fromY).toFixed(1)}px`;
    leader.style.transform = `translate(${fromX.toFixed(1)}px, ${fromY.toFixed(1)}px) rotate(${Math.atan2(y - fromY, x - fromX).toFixed(4)}rad)`;
  }
}

/** Returns the motion that the focused robot follows, with its frame. */
function motionOf({ hud }: FrameHeader): string {
  const follows = [hud.clip ?? '', hud.frame === undefined ? '' : `frame ${whole(hud.frame)}`];
  return follows.filter((part) => part !== '').join(' · ');
}

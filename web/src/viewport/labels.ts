import type { FrameHeader } from '../../../src/protocol/frame.ts';
import type { PlacedLabel } from '../scene/messages.ts';
import { whole } from '../ui/format.ts';

interface Shown {
  readonly root: HTMLElement;
  readonly leader: HTMLElement;
}

interface Tag {
  readonly root: HTMLElement;
  readonly env: HTMLElement;
  readonly clip: HTMLElement;
  /** width, px; measured again when the length of the text changes */
  width: number;
}

/** Minimum distance of a tag from the edges of the picture, px. */
const EDGE = 8;

/** Shows the names of wired bodies beside the robot. A thin line connects each name with its marker. HTML over the
 *  canvas keeps the text sharp. */
export class Labels {
  readonly #host: HTMLElement;
  readonly #shown = new Map<string, Shown>();
  readonly #watch: ResizeObserver;
  #tag: Tag | null = null;
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
    this.#tag?.root.remove();
    this.#tag = null;
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

  /** Shows the tag of the focused environment: its index and the motion that its robot follows. */
  tag(at: { readonly x: number; readonly y: number } | null, header: FrameHeader | undefined): void {
    if (at === null || header === undefined) {
      if (this.#tag !== null) this.#tag.root.hidden = true;
      return;
    }
    this.#tag ??= this.#addTag();
    const { root, env, clip } = this.#tag;
    const { hud, focus } = header;
    const follows = [hud.clip ?? '', hud.frame === undefined ? '' : `frame ${whole(hud.frame)}`];
    const text = follows.filter((part) => part !== '').join(' · ');
    const name = `Env ${focus}`;
    const resized = root.hidden || name.length !== env.textContent.length || text.length !== clip.textContent.length;
    if (env.textContent !== name) env.textContent = name;
    if (clip.textContent !== text) clip.textContent = text;
    root.hidden = false;
    if (resized) this.#tag.width = root.offsetWidth;
    // Near the edges, the tag is moved into the picture. Its line stays over the robot.
    const reach = this.#tag.width / 2 + EDGE;
    const x = Math.max(reach, Math.min(this.#room - reach, at.x));
    root.style.setProperty('--aside', `${(at.x - x).toFixed(1)}px`);
    root.style.transform = `translate(${x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -100%)`;
  }

  #addTag(): Tag {
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
    return { root, env, clip, width: 0 };
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

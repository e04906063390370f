import { MessageWriter } from '../../formats/protobuf/write-message.ts';
import type { PlayEvent } from '../../play/plan.ts';
import { decodeModel, type ModelBinary } from '../../protocol/binaries.ts';
import type { LogLine } from '../../protocol/schemas/log.ts';
import type { SceneModel } from '../../protocol/schemas/robots.ts';
import type { Instant } from '../instant.ts';
import type { RecordedFrame, RecordedModel, RecordedSession, RecordingEnd, RecordingHead } from '../recorded.ts';
import { foxgloveDescriptors } from './foxglove-descriptors.ts';
import { type ChannelSpec, McapFile, type McapFileOptions } from './mcap-file.ts';
import { RowMessage } from './row-message.ts';
import { bodyFrames, emptyScene, overlaysMessage, robotsMessage, stampOf } from './scene-message.ts';
import { TransformsMessage } from './transforms-message.ts';

/** Numbers of `foxglove.Log.Level`. */
const LOG_LEVEL: Readonly<Record<LogLine['level'], number>> = { debug: 1, info: 2, warn: 3, error: 4 };

/** Topics in the order of their channels. */
export const TOPICS = {
  transforms: '/tf',
  robots: '/robots',
  ghosts: '/ghosts',
  overlays: '/overlays',
  log: '/log',
  scene: '/scene',
  events: '/events',
  episodes: '/session/episodes',
  joints: '/session/joints',
  torques: '/session/torques',
  actions: '/session/actions',
  rewards: '/session/rewards',
} as const;
type Topic = keyof typeof TOPICS;
const CHANNEL = Object.fromEntries(Object.keys(TOPICS).map((topic, k) => [topic, k])) as Record<Topic, number>;
/** Topics of a row, each with the prefix of its channels and its range of columns. */
const ROW_TOPICS = { joints: 'joint.', torques: 'torque.', actions: 'action.', rewards: 'reward.' } as const;

/** Writes a recording as MCAP with Foxglove's messages. Methods throw the errors of write(2). Messages that could not
 *  be written are kept and written by the next call. */
export class McapRecording {
  readonly #file: McapFile;
  #model: { readonly model: SceneModel; readonly binary: ModelBinary; readonly names: readonly string[] } | null = null;
  #robots: TransformsMessage | null = null;
  #robotCount = 0;
  #ghosts: TransformsMessage | null = null;
  #ghostCount = 0;
  #overlays: readonly string[] = [];
  /** the topics of rows of one clip */
  #rows: { readonly session: RecordedSession; readonly clip: number; readonly topics: readonly RowTopic[] } | null =
    null;

  /** @throws what write(2) throws */
  constructor(fd: number, head: RecordingHead, attachment: McapFileOptions['attachment'], at: Instant) {
    const { robot, owner, created, bodies } = head;
    this.#file = new McapFile(fd, {
      channels: Object.entries(TOPICS).map(([topic, path]) => channelOf(topic as Topic, path)),
      metadata: new Map([
        ['robot', robot],
        ['owner', owner],
        ['created', created],
        ['bodies', JSON.stringify(bodies)],
      ]),
      attachment,
      at,
    });
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  /** Records the model of the following frames. */
  show({ model, bin }: RecordedModel): void {
    const binary = decodeModel(bin.buffer.slice(bin.byteOffset, bin.byteOffset + bin.byteLength) as ArrayBuffer);
    this.#model = { model, binary, names: model.bodies.map(({ name }) => name) };
    this.#robots = null;
    this.#ghosts = null;
  }

  frame({ header, blob, caption }: RecordedFrame, at: Instant): void {
    const model = this.#model;
    if (!model) return;
    const file = this.#file;
    const { n, poses, ghost } = header;
    if (!this.#robots || this.#robotCount !== n) {
      this.#robots = new TransformsMessage(bodyFrames('robot', n, model.names));
      this.#robotCount = n;
      file.add(CHANNEL.robots, at, robotsMessage('robot', n, model.model, model.binary, at));
    }
    this.#transforms(this.#robots, at, blob, poses.offset);
    const ghosts = ghost?.n ?? 0;
    if (ghosts !== this.#ghostCount || (ghosts > 0 && !this.#ghosts)) this.#setGhosts(ghosts, at);
    if (ghost && this.#ghosts) this.#transforms(this.#ghosts, at, blob, ghost.offset);
    if (header.overlays.length > 0 || this.#overlays.length > 0) {
      const names = header.overlays.map(({ name }) => name);
      const gone = this.#overlays.filter((name) => !names.some((other) => other === name));
      file.add(CHANNEL.overlays, at, overlaysMessage(header.overlays, blob, gone, at));
      this.#overlays = names;
    }
    file.add(CHANNEL.scene, at, Buffer.from(caption));
  }

  /** Adds a row of the focused environment: data, reference, meta. */
  row(session: RecordedSession, row: Float32Array, at: Instant): void {
    const { count, ref } = session.columns;
    const meta = count + ref;
    const clip = row[meta]!;
    if (this.#rows?.session !== session || this.#rows.clip !== clip)
      this.#rows = { session, clip, topics: rowTopics(session, session.clips[clip] ?? null) };
    for (const { channel, message } of this.#rows.topics) {
      const to = this.#file.reserve(channel, at, message.bytes);
      message.write(this.#file.chunk.bytes, to, row);
    }
  }

  playEvent({ env, kind, cause, clip, step, text }: PlayEvent, at: Instant): void {
    this.#json(CHANNEL.episodes, at, { env, kind, cause: cause ?? null, clip, step, text });
    const what = kind === 'push' ? 'pushed' : kind === 'failure' ? `failed by ${cause ?? '?'}` : 'timed out';
    this.#log(kind === 'failure' ? 'warn' : 'info', 'play', `env ${env} in ${clip} ${what}: ${text}`, at);
  }

  /** @param json of the whole event */
  event(json: string, at: Instant): void {
    this.#file.add(CHANNEL.events, at, Buffer.from(json));
  }

  log({ level, source, message }: LogLine, at: Instant): void {
    this.#log(level, source, message, at);
  }

  /** Writes the chunk if it is large or old enough. */
  flushIfDue(): void {
    this.#file.flushIfDue();
  }

  /** Completes the file. */
  end({ state, reason, duration, frames }: RecordingEnd): void {
    this.#file.end(
      new Map([
        ['state', state],
        ['reason', reason ?? ''],
        ['duration', String(duration)],
        ['frames', String(frames)],
      ]),
    );
  }

  #transforms(message: TransformsMessage, at: Instant, poses: Float32Array, from: number): void {
    const to = this.#file.reserve(CHANNEL.transforms, at, message.bytes);
    message.write(this.#file.chunk, to, at, poses, from);
  }

  #setGhosts(ghosts: number, at: Instant): void {
    const model = this.#model!;
    this.#ghostCount = ghosts;
    this.#ghosts = ghosts > 0 ? new TransformsMessage(bodyFrames('ghost', ghosts, model.names)) : null;
    const scene = ghosts > 0 ? robotsMessage('ghost', ghosts, model.model, model.binary, at) : emptyScene(at);
    this.#file.add(CHANNEL.ghosts, at, scene);
  }

  #log(level: LogLine['level'], name: string, message: string, at: Instant): void {
    const log = new MessageWriter().bytes(1, stampOf(at)).int(2, LOG_LEVEL[level]).bytes(3, message).bytes(4, name);
    this.#file.add(CHANNEL.log, at, log.done());
  }

  #json(channel: number, at: Instant, value: object): void {
    this.#file.add(channel, at, Buffer.from(JSON.stringify(value)));
  }
}

interface RowTopic {
  readonly channel: number;
  readonly message: RowMessage;
}

/** The names of a message are those of its channels without their prefix. */
function rowTopics({ session, env, channels, columns }: RecordedSession, clip: string | null): RowTopic[] {
  const meta = columns.count + columns.ref;
  return Object.entries(ROW_TOPICS).map(([topic, prefix]) => {
    const ids = channels.filter((id) => id.startsWith(prefix));
    const names = ids.map((id) => id.slice(prefix.length));
    const places = { frame: meta + 1, step: meta + 2, first: channels.indexOf(ids[0] ?? '') };
    return {
      channel: CHANNEL[topic as keyof typeof ROW_TOPICS],
      message: new RowMessage({ session, env, clip }, names, places),
    };
  });
}

const PROTOBUF = {
  transforms: 'FrameTransforms',
  robots: 'SceneUpdate',
  ghosts: 'SceneUpdate',
  overlays: 'SceneUpdate',
  log: 'Log',
} as const;

function channelOf(topic: Topic, path: string): ChannelSpec {
  if (topic in PROTOBUF) {
    const name = PROTOBUF[topic as keyof typeof PROTOBUF];
    const data = foxgloveDescriptors(name);
    return { topic: path, encoding: 'protobuf', schema: { name: `foxglove.${name}`, encoding: 'protobuf', data } };
  }
  const data = Buffer.from(JSON.stringify(JSON_SCHEMAS[topic as keyof typeof JSON_SCHEMAS]));
  return { topic: path, encoding: 'json', schema: { name: `motion_studio.${topic}`, encoding: 'jsonschema', data } };
}

const number = { type: 'number' };
const text = { type: 'string' };
const step = { env: number, clip: text, step: number };
const values = { type: 'object', additionalProperties: number };
const object = (properties: object) => ({ type: 'object', properties });

/** JSON Schemas of the recorded messages. Viewers read them to list the fields of a message. */
const JSON_SCHEMAS = {
  scene: object({
    time: number,
    owner: text,
    n: number,
    focus: number,
    ghosts: number,
    hud: object({ text: { type: 'array', items: text }, frame: number, time: number, clip: text }),
    overlays: { type: 'array', items: object({ name: text, kind: text, values: { type: 'array', items: number } }) },
  }),
  events: object({ type: text, topic: text, payload: { type: 'object' } }),
  episodes: object({ ...step, kind: text, cause: text, text }),
  joints: object({ ...step, session: number, frame: number, values }),
  torques: object({ ...step, session: number, frame: number, values }),
  actions: object({ ...step, session: number, frame: number, values }),
  rewards: object({ ...step, session: number, frame: number, values }),
};

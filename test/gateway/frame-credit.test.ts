import { describe, expect, test } from 'vitest';
import { FrameCredit, keepPace, NO_PING, newPace, type Pace } from '../../src/gateway/frame-credit.ts';

const pace = (): Pace => ({ ...newPace(), bytes: 65_536 });

/** Simulates a client behind a link with a given rate and round trip, fed at 60 Hz for `ms`. The link is a queue, like
 *  the kernel's buffers. @returns ages of the frames on arrival, ms, and the actions of the credit */
function simulate(options: {
  bytesPerMs: number;
  roundTripMs: number;
  ms: number;
  acks?: boolean;
  stepMs?: number;
  /** from `fromMs` on, the service handles arrivals only every `everyMs`, and measures a lag of `delayMs` */
  busy?: { fromMs: number; everyMs: number; delayMs: number };
  /** from `fromMs` on, the link has another rate */
  later?: { fromMs: number; bytesPerMs: number };
}) {
  const { bytesPerMs, roundTripMs, ms, later, acks = false } = options;
  const p = pace();
  const credit = new FrameCredit(p);
  const ages: number[] = [];
  const pings: number[] = [];
  const replies: { atMs: number; run: (nowMs: number) => void }[] = [];
  let linkFreeMs = 0;
  let published = 0;
  let publishedMs = 0;
  let sent = 0;
  const send = (nowMs: number) => {
    if (published <= sent || !credit.open) return;
    if (credit.probeDue(nowMs)) probe(nowMs);
    sent = published;
    const seq = sent;
    const rate = later && nowMs >= later.fromMs ? later.bytesPerMs : bytesPerMs;
    linkFreeMs = Math.max(linkFreeMs, nowMs) + p.bytes / rate;
    const age = linkFreeMs + roundTripMs / 2 - publishedMs;
    replies.push({ atMs: linkFreeMs + roundTripMs / 2, run: () => ages.push(age) });
    const tag = credit.frameSent(seq);
    if (acks) replies.push({ atMs: linkFreeMs + roundTripMs, run: () => void credit.ack(seq) });
    ping(tag, nowMs);
  };
  const ping = (tag: number, nowMs: number) => {
    if (tag === NO_PING) return;
    credit.pingSent(tag, nowMs);
    pings.push(nowMs);
    replies.push({ atMs: Math.max(linkFreeMs, nowMs) + roundTripMs, run: (at) => void credit.pong(tag, at) });
  };
  const probe = (nowMs: number) => {
    credit.probeSent(nowMs);
    replies.push({ atMs: Math.max(linkFreeMs, nowMs) + roundTripMs, run: (at) => credit.probeReturned(at) });
  };
  const busyAt = (now: number) => (options.busy && now >= options.busy.fromMs ? options.busy : null);
  probe(0);
  for (let now = 0; now < ms; now += busyAt(now)?.everyMs ?? options.stepMs ?? 0.5) {
    for (const reply of replies.filter((r) => r.atMs <= now)) {
      replies.splice(replies.indexOf(reply), 1);
      reply.run(now);
      send(now);
    }
    if (now - publishedMs >= 1000 / 60 || published === 0) {
      keepPace(p, now, p.bytes, busyAt(now)?.delayMs ?? 0);
      p.roundToMs = now;
      published += 1;
      publishedMs = now;
      if (!credit.open) ping(credit.held(), now);
      send(now);
    }
  }
  return { credit, ages, pings, fps: ages.length / (ms / 1000), share: ages.length / published };
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!;

describe('the age of the frames of a client is bounded by its own connection', () => {
  // 64 KB take 33 ms at 2 MB/s, and 131 ms at 0.5 MB/s.
  test.each([
    { bytesPerMs: 2000, roundTripMs: 0.2, acks: false },
    { bytesPerMs: 500, roundTripMs: 0.2, acks: false },
    { bytesPerMs: 2000, roundTripMs: 0.2, acks: true },
    { bytesPerMs: 500, roundTripMs: 0.2, acks: true },
    { bytesPerMs: 500, roundTripMs: 40, acks: false },
    { bytesPerMs: 2000, roundTripMs: 80, acks: false },
    // slightly below the 3.9 MB/s that all frames need: the queue grows slowly
    { bytesPerMs: 3700, roundTripMs: 0.2, acks: false },
  ])('$bytesPerMs kB/s, $roundTripMs ms away, acks: $acks: frames are at most three transfer times old', (link) => {
    const { ages } = simulate({ ...link, ms: 20_000 });
    expect(median(ages.slice(20))).toBeLessThan((3 * 65_536) / link.bytesPerMs + link.roundTripMs / 2);
  });

  test('a slow client gets as many frames as its connection can transfer', () => {
    const { fps } = simulate({ bytesPerMs: 500, roundTripMs: 0.2, ms: 20_000 });
    expect(fps).toBeGreaterThan(0.9 * (500_000 / 65_536));
  });
});

test('the age of frames is bounded again two seconds after a client slows down', () => {
  const later = { fromMs: 5000, bytesPerMs: 2000 };
  const { ages, credit } = simulate({ bytesPerMs: 1e6, roundTripMs: 0.2, ms: 15_000, later });
  expect(credit.stage).toBe(0);
  const slow = ages.slice(300); // without the first 5 s, at 60 frames/s
  expect(Math.max(...slow)).toBeLessThan((21 * 65_536) / 2000); // at most one window of frames
  expect(Math.max(...slow.slice(60))).toBeLessThan((3 * 65_536) / 2000);
});

test('a fast client gets every frame and a ping every 16 frames', () => {
  const { share, pings, credit } = simulate({ bytesPerMs: 1e6, roundTripMs: 0.2, ms: 20_000 });
  expect(share).toBeGreaterThan(0.995);
  expect(credit.stage).toBe(5);
  const late = pings.filter((at) => at > 10_000).length;
  expect(late).toBeLessThanOrEqual(39); // 600 frames / 16
});

test('a busy service does not mistake its own delay for a slow client', () => {
  const quick = { bytesPerMs: 1e6, roundTripMs: 0.2, ms: 20_000 };
  const pingsOf = (delayMs: number) => {
    const { pings } = simulate({ ...quick, busy: { fromMs: 5000, everyMs: 100, delayMs } });
    return pings.filter((at) => at > 6000).length;
  };
  // A service that is 100 ms late sends about 140 frames in this time: 9 pings at one per sixteen frames.
  expect(pingsOf(100)).toBeLessThanOrEqual(9);
  expect(pingsOf(0)).toBeGreaterThan(18);
});

test('a busy service still detects a client whose queue does not empty', () => {
  const busy = { fromMs: 5000, everyMs: 20, delayMs: 20 };
  const { credit, ages } = simulate({ bytesPerMs: 500, roundTripMs: 0.2, ms: 20_000, busy });
  expect(credit.stage).toBe(0);
  expect(median(ages.slice(20))).toBeLessThan((3 * 65_536) / 500 + 2 * busy.everyMs);
});

test('a distant but fast client gets every frame', () => {
  const { share } = simulate({ bytesPerMs: 50_000, roundTripMs: 120, ms: 20_000 });
  expect(share).toBeGreaterThan(0.98);
});

test('a client that stops answering has at most twenty frames in flight', () => {
  const credit = new FrameCredit(pace());
  let now = 0;
  let last = 0;
  const offer = (seq: number, answer: boolean) => {
    now += 17;
    if (!credit.open) {
      last = credit.held() || last;
      return;
    }
    const tag = credit.frameSent(seq);
    if (tag === NO_PING) return;
    credit.pingSent(tag, now);
    if (answer) credit.pong(tag, now + 1);
  };
  for (let seq = 1; seq <= 200; seq++) offer(seq, true);
  expect(credit.stage).toBe(5);
  for (let seq = 201; seq <= 400; seq++) offer(seq, false);
  expect(credit.unconfirmed).toBeLessThanOrEqual(20);
  // The response to the last ping confirms all frames that were sent before it.
  expect(credit.pong(last, now)).toBe(true);
  expect([credit.unconfirmed, credit.stage]).toEqual([0, 0]);
});

test('one late answer lowers a fast client by one stage, not to the lowest', () => {
  const credit = new FrameCredit(pace());
  let now = 0;
  const offer = (seq: number, answerMs: number) => {
    now += 17;
    const tag = credit.frameSent(seq);
    if (tag === NO_PING) return false;
    credit.pingSent(tag, now);
    return credit.pong(tag, now + answerMs);
  };
  for (let seq = 1; seq <= 200; seq++) offer(seq, 1);
  expect(credit.stage).toBe(5);
  for (let seq = 201; !offer(seq, 70); seq++);
  expect(credit.stage).toBe(4);
});

test('a client that must wait gets a ping after its last frame', () => {
  const credit = new FrameCredit(pace());
  let now = 0;
  for (let seq = 1; seq <= 200; seq++) {
    now += 17;
    const tag = credit.frameSent(seq);
    if (tag !== NO_PING) {
      credit.pingSent(tag, now);
      credit.pong(tag, now + 1);
    }
  }
  while (credit.open) credit.frameSent(++now);
  const tag = credit.held();
  expect(tag).not.toBe(NO_PING);
  expect(credit.held()).toBe(NO_PING);
  credit.pong(tag, now);
  expect(credit.unconfirmed).toBe(0);
});

test('a client that never answers gets two frames', () => {
  const credit = new FrameCredit(pace());
  for (let seq = 1; credit.open; seq++) credit.frameSent(seq);
  expect(credit.unconfirmed).toBe(2);
});

describe('acknowledgements', () => {
  function withFrames(count: number): FrameCredit {
    const credit = new FrameCredit(pace());
    for (let seq = 1; seq <= count; seq++) {
      const tag = credit.frameSent(10 * seq);
      credit.pingSent(tag, seq);
      credit.pong(tag, seq);
    }
    return credit;
  }

  test('acknowledgements replace pongs from the first one on, also for frames that a pong has confirmed', () => {
    const credit = withFrames(3);
    expect(credit.unconfirmed).toBe(0);
    expect(credit.ack(10)).toBe(true);
    expect(credit.acks).toBe(true);
    expect(credit.unconfirmed).toBe(2);
    expect(credit.open).toBe(false);
    expect(credit.pong(3, 5)).toBe(false);
    expect(credit.ack(30)).toBe(true);
    expect(credit.open).toBe(true);
  });

  test('acknowledgements limit unacknowledged frames to two, without pings', () => {
    const credit = withFrames(3);
    credit.ack(30);
    expect(credit.frameSent(40)).toBe(NO_PING);
    expect(credit.open).toBe(true);
    expect(credit.frameSent(50)).toBe(NO_PING);
    expect(credit.open).toBe(false);
  });

  test('acknowledgements of unknown or already acknowledged frames have no effect', () => {
    const credit = withFrames(3);
    expect(credit.ack(31)).toBe(false);
    expect(credit.acks).toBe(false);
    credit.ack(30);
    expect(credit.ack(30)).toBe(false);
    expect(credit.ack(20)).toBe(false);
    expect(new FrameCredit(pace()).ack(0)).toBe(false);
  });
});

test('a pong with an unknown tag gives no credit', () => {
  const credit = new FrameCredit(pace());
  credit.frameSent(1);
  expect(credit.pong(2, 1)).toBe(false);
  expect(credit.pong(0, 1)).toBe(false);
  expect(credit.unconfirmed).toBe(1);
});

test('large frames are followed by pings more often', () => {
  const p: Pace = { ...newPace(), bytes: 400_000 };
  const credit = new FrameCredit(p);
  for (let seq = 1; seq <= 500; seq++) {
    const tag = credit.frameSent(seq);
    if (tag !== NO_PING) credit.pong(tag, 0);
  }
  expect(credit.stage).toBe(2);
});

test('at 500 frames/s a fast client gets every frame, with a ping every 64th', () => {
  const p: Pace = { ...newPace(), intervalMs: 2, bytes: 16_384 };
  const credit = new FrameCredit(p);
  let pings = 0;
  for (let seq = 1; seq <= 2000; seq++) {
    expect(credit.open).toBe(true);
    const now = 2 * seq;
    const tag = credit.frameSent(seq);
    if (tag === NO_PING) continue;
    if (seq > 1000) pings += 1;
    credit.pingSent(tag, now);
    credit.pong(tag, now + 1);
  }
  expect(pings).toBeLessThanOrEqual(16);
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WrongTokens } from '../../../src/gateway/access/wrong-tokens.ts';

const address = (last: number) => Uint8Array.of(203, 0, 113, last);
const v6 = (network: number, host: number) =>
  Uint8Array.from({ length: 16 }, (_, k) => (k === 7 ? network : k === 15 ? host : 0x20));

let lines: string[];
let wrong: WrongTokens;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  wrong = new WrongTokens((line) => lines.push(line));
});
afterEach(() => vi.useRealTimers());

/** Number of responses to wrong tokens; `send` increments it. */
let answers: number;
beforeEach(() => {
  answers = 0;
});
const send = (from: Uint8Array) =>
  wrong.delay(from, () => {
    answers += 1;
  });

describe('the delay', () => {
  test('the delay doubles from 125 ms to 2 s', () => {
    for (const ms of [125, 250, 500, 1000, 2000, 2000]) {
      send(address(1));
      const before = answers;
      vi.advanceTimersByTime(ms - 1);
      expect(answers).toBe(before);
      vi.advanceTimersByTime(1);
      expect(answers).toBe(before + 1);
    }
  });

  test('the delay applies to one IPv4 address or one IPv6 network', () => {
    for (let k = 0; k < 5; k++) send(address(1));
    vi.advanceTimersByTime(3000);
    send(address(2));
    vi.advanceTimersByTime(125);
    expect(answers).toBe(6);
    send(v6(1, 1));
    send(v6(1, 2));
    send(v6(2, 1));
    vi.advanceTimersByTime(125);
    expect(answers).toBe(8); // one response for each network
    vi.advanceTimersByTime(125);
    expect(answers).toBe(9);
  });

  test('the delay starts again after ten minutes without a wrong token', () => {
    for (let k = 0; k < 5; k++) send(address(1));
    vi.advanceTimersByTime(10 * 60_000 + 1);
    answers = 0;
    send(address(1));
    vi.advanceTimersByTime(125);
    expect(answers).toBe(1);
  });
});

describe('the number of delayed answers is bounded', () => {
  test('at most 32 answers of an address and 256 in total are delayed; further answers are sent at once', () => {
    for (let k = 0; k < 40; k++) send(address(1));
    expect(answers).toBe(8);
    for (let last = 2; last < 20; last++) for (let k = 0; k < 32; k++) send(address(last));
    expect(answers).toBe(8 + 18 * 32 - (256 - 32));
    vi.advanceTimersByTime(2000);
    expect(answers).toBe(40 + 18 * 32);
  });

  test('a client that disconnects frees its slot and gets no answer', () => {
    const ends = Array.from({ length: 32 }, () => send(address(1)));
    for (const end of ends) {
      end();
      end();
    }
    send(address(1));
    expect(answers).toBe(0);
    vi.advanceTimersByTime(2000);
    expect(answers).toBe(1);
  });
});

describe('the warning', () => {
  test('the warning is logged at once, then once a minute while wrong tokens arrive', () => {
    send(address(1));
    expect(lines).toEqual(['requests with a wrong token: 1 from 203.0.113.1']);
    for (let k = 0; k < 7; k++) send(address(2));
    send(address(1));
    vi.advanceTimersByTime(59_999);
    expect(lines).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(lines[1]).toBe('requests with a wrong token: 7 from 203.0.113.2, 1 from 203.0.113.1');
    vi.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(2);
  });

  test('the warning names five addresses and counts the others', () => {
    send(address(1));
    for (let last = 1; last <= 8; last++) send(address(last));
    vi.advanceTimersByTime(60_000);
    expect(lines[1]).toMatch(/ and others from 3 addresses$/);
  });
});

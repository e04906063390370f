import { badInput } from '../../core/errors.ts';
import { narrow } from './pickle-globals.ts';
import { damaged, type PickleMachine } from './pickle-machine.ts';
import { COST } from './pickle-values.ts';
import { decodeQuoted, decodeRawUnicode } from './python-text.ts';

const HIGHEST_PROTOCOL = 5;
const MAX_LONG_BYTES = 1024;

type Step = (machine: PickleMachine) => void;

/** All supported opcodes, by their byte: protocols 0 to 5. */
const STEPS: Readonly<Record<string, Step>> = {
  // protocol 0
  '(': (m) => m.mark(),
  '.': (m) => m.stop(),
  '0': (m) => m.drop(),
  '1': (m) => void m.popToMark(),
  '2': (m) => m.push(m.top()),
  F: (m) => m.push(decimal(m.input.line()), COST.number),
  I: (m) => whole(m, m.input.line()),
  L: (m) => whole(m, m.input.line().replace(/L$/, '')),
  N: (m) => m.push(null),
  R: (m) => m.reduce(),
  S: (m) => text(m, decodeQuoted(m.input.textLine())),
  V: (m) => text(m, decodeRawUnicode(m.input.textLine())),
  a: (m) => m.append([m.pop()]),
  b: (m) => m.build(),
  c: (m) => m.push(m.dialect.find(m.input.line(), m.input.line())),
  d: (m) => m.dict(m.popToMark()),
  g: (m) => m.get(index(m.input.line())),
  l: (m) => m.list(m.popToMark()),
  p: (m) => m.put(index(m.input.line())),
  s: (m) => {
    const value = m.pop();
    m.setItems([m.pop(), value]);
  },
  t: (m) => m.tuple(m.popToMark()),
  // protocol 1
  G: (m) => m.push(m.input.f64(), COST.number),
  J: (m) => m.push(m.input.i32(), COST.number),
  K: (m) => m.push(m.input.u8()),
  M: (m) => m.push(m.input.u16()),
  T: (m) => text(m, m.input.latin1(m.input.u32())),
  U: (m) => text(m, m.input.latin1(m.input.u8())),
  X: (m) => text(m, m.input.utf8(m.input.u32())),
  e: (m) => m.append(m.popToMark()),
  h: (m) => m.get(m.input.u8()),
  j: (m) => m.get(m.input.u32()),
  q: (m) => m.put(m.input.u8()),
  r: (m) => m.put(m.input.u32()),
  u: (m) => m.setItems(m.popToMark()),
  ')': (m) => m.tuple([]),
  ']': (m) => m.list([]),
  '}': (m) => m.dict([]),
  // protocol 2
  '\x80': (m) => {
    const protocol = m.input.u8();
    if (protocol > HIGHEST_PROTOCOL) throw badInput(`pickles of protocol ${protocol} are not supported, only 0 to 5`);
  },
  '\x85': (m) => m.tuple([m.pop()]),
  '\x86': (m) => m.tuple(popped(m, 2)),
  '\x87': (m) => m.tuple(popped(m, 3)),
  '\x88': (m) => m.push(true),
  '\x89': (m) => m.push(false),
  '\x8a': (m) => long(m, m.input.u8()),
  '\x8b': (m) => long(m, m.input.u32()),
  // protocol 3
  B: (m) => m.push(m.input.take(m.input.u32()), COST.bytes),
  C: (m) => m.push(m.input.take(m.input.u8()), COST.bytes),
  // protocol 4
  '\x8c': (m) => text(m, m.input.utf8(m.input.u8())),
  '\x8d': (m) => text(m, m.input.utf8(m.input.u64())),
  '\x8e': (m) => m.push(m.input.take(m.input.u64()), COST.bytes),
  '\x8f': (m) => m.set([]),
  '\x90': (m) => m.addItems(m.popToMark()),
  '\x91': (m) => m.set(m.popToMark()),
  '\x93': (m) => {
    const name = m.pop();
    const module = m.pop();
    if (typeof name !== 'string' || typeof module !== 'string')
      throw damaged('names a class with a value that is not a text');
    m.push(m.dialect.find(module, name));
  },
  '\x94': (m) => m.memoize(),
  // FRAME: the number of bytes in the frame. Only readers of streams need it.
  '\x95': (m) => void m.input.u64(),
  // protocol 5
  '\x96': (m) => m.push(m.input.take(m.input.u64()), COST.bytes),
  // opcodes that are refused with a message, or handled by the dialect
  '\x82': () => refuse('an extension code'),
  '\x83': () => refuse('an extension code'),
  '\x84': () => refuse('an extension code'),
  P: (m) => m.push(m.dialect.outside(m.input.line())),
  Q: (m) => m.push(m.dialect.outside(m.pop())),
  '\x97': () => refuse('memory outside of the file'),
  '\x98': () => refuse('memory outside of the file'),
  i: (m) => make(m.dialect.find(m.input.line(), m.input.line()).name),
  o: () => make('an object'),
  '\x81': (m) => m.newObject(),
  '\x92': () => make('an object'),
};

const TABLE: readonly (Step | undefined)[] = Array.from({ length: 256 }, (_, code) => STEPS[String.fromCharCode(code)]);

/** Executes the next opcode. @throws bad_input */
export function step(machine: PickleMachine): void {
  const at = machine.input.position;
  const run = TABLE[machine.input.u8()];
  if (!run) throw damaged(`has an unknown opcode at byte ${at + 1}`);
  run(machine);
}

function text(machine: PickleMachine, value: string): void {
  machine.push(value, COST.text + 2 * value.length);
}

function popped(machine: PickleMachine, count: number) {
  return Array.from({ length: count }, () => machine.pop()).reverse();
}

function decimal(line: string): number {
  const word = /^([+-]?)(?:(nan)|inf(?:inity)?)$/i.exec(line);
  if (word) return word[2] ? Number.NaN : word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(line)) throw damaged('contains a text instead of a number');
  return Number(line);
}

/** Pushes the integer in a text line. `I00` and `I01` are False and True. */
function whole(machine: PickleMachine, line: string): void {
  if (line === '00' || line === '01') machine.push(line === '01');
  else if (/^[+-]?\d+$/.test(line)) machine.push(narrow(BigInt(line.replace(/^\+/, ''))), COST.number + line.length);
  else throw damaged('contains a text instead of a number');
}

/** Pushes an integer of up to `MAX_LONG_BYTES` bytes in two's complement, little-endian. */
function long(machine: PickleMachine, length: number): void {
  if (length > MAX_LONG_BYTES) throw badInput(`the pickle contains a number of more than ${8 * MAX_LONG_BYTES} bits`);
  machine.push(narrow(machine.input.long(length)), COST.number + length);
}

function index(line: string): number {
  if (!/^\d{1,10}$/.test(line)) throw damaged('refers to a value by an index that is not a number');
  return Number(line);
}

function refuse(what: string): never {
  throw badInput(`the pickle refers to ${what}, which is not allowed`);
}

function make(name: string): never {
  throw badInput(
    `the pickle creates ${name} of a class, which is not allowed. Only numpy arrays and plain values are supported.`,
  );
}

import { readFileSync } from 'node:fs';

/** One instruction of a Dockerfile, with its `ARG`s substituted. */
export interface Instruction {
  readonly name: string;
  /** `--from=build` becomes `from: 'build'` */
  readonly flags: Readonly<Record<string, string>>;
  /** words of a JSON array, or the rest of the line as text */
  readonly value: string | readonly string[];
}

export interface Stage {
  readonly image: string;
  readonly name: string | null;
  readonly instructions: readonly Instruction[];
}

/** Reads the part of the Dockerfile syntax that this project uses: instructions, continued lines, comments, ARG before
 *  FROM, flags, JSON arrays. @throws on anything else */
export function readDockerfile(file: string): readonly Stage[] {
  const args = new Map<string, string>();
  const stages: { image: string; name: string | null; instructions: Instruction[] }[] = [];
  for (const line of logicalLines(readFileSync(file, 'utf8'))) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/s.exec(line) ?? [];
    if (name === '') throw new Error(`not an instruction: ${line}`);
    if (name === 'ARG') {
      const [key = '', value = ''] = rest.split('=', 2);
      args.set(key, value);
    } else if (name === 'FROM') {
      const filled = rest.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => args.get(key) ?? '');
      const [image = '', as, stage] = filled.split(/\s+/);
      stages.push({ image, name: as === 'AS' ? stage! : null, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`before the first FROM: ${line}`);
      stage.instructions.push(instructionOf(name, rest));
    }
  }
  return stages;
}

/** The words of `HEALTHCHECK … CMD […]` and `ENTRYPOINT […]`. */
export function commandOf(instruction: Instruction | undefined): readonly string[] {
  if (!instruction || typeof instruction.value === 'string') throw new Error('not in exec form');
  return instruction.value;
}

/** The pairs of `ENV` and `LABEL`: name=value without blanks. */
export function pairsOf(instruction: Instruction): [string, string][] {
  return wordsOf(instruction).map((word) => {
    const [key = '', ...value] = word.split('=');
    return [key, value.join('=')];
  });
}

export function wordsOf(instruction: Instruction): readonly string[] {
  return typeof instruction.value === 'string' ? instruction.value.split(/\s+/) : instruction.value;
}

/** Names that a .dockerignore of the form `*`, `!name`, `!name`, … includes. @throws for any other form */
export function readAllowList(file: string): readonly string[] {
  const [first, ...rest] = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*') throw new Error('.dockerignore: must begin with *');
  return rest.map((line) => {
    if (!/^![\w.-]+$/.test(line)) throw new Error(`.dockerignore: not a name to let through: ${line}`);
    return line.slice(1);
  });
}

function instructionOf(name: string, rest: string): Instruction {
  const flags: Record<string, string> = {};
  let text = rest;
  for (let flag = FLAG.exec(text); flag; flag = FLAG.exec(text)) {
    flags[flag[1]!] = flag[2]!;
    text = text.slice(flag[0].length);
  }
  if (name === 'HEALTHCHECK') text = text.replace(/^CMD\s+/, '');
  return { name, flags, value: text.startsWith('[') ? (JSON.parse(text) as string[]) : text };
}

const FLAG = /^--([\w-]+)=(\S+)\s+/;

function logicalLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => !/^\s*#/.test(line));
  return lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

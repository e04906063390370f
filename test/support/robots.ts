import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { openClipRobot } from '../../src/motion/clip-robot.ts';
import { PREPARED_FILES, type PreparedRobot, prepareRobot } from '../../src/robots/prepared-robot.ts';
import { BUILTIN } from '../../src/robots/robot-source.ts';
import { g1Spec, KIT } from './kit.ts';
import { WALKER_MJCF, walkerSpec } from './models.ts';

let humanoid: Promise<PreparedRobot> | null = null;

/** The built-in robot, compiled once per test file. */
export function preparedHumanoid(): Promise<PreparedRobot> {
  humanoid ??= prepareRobot(BUILTIN, mkdtempSync(path.join(os.tmpdir(), 'robot-')));
  return humanoid;
}

/** Paths from which threads load a compiled robot. */
export function clipSource({ folder, facts }: PreparedRobot) {
  return { physicsPath: path.join(folder, PREPARED_FILES.physics), facts };
}

/** The built-in robot, prepared for computations with clips. */
export async function humanoidClipRobot() {
  return openClipRobot(clipSource(await preparedHumanoid()));
}

/** The kit's G1 without meshes, which do not affect its motion. */
export async function g1ClipRobot() {
  return openClipRobot(clipSource(await preparedG1()));
}

const G1_MODEL = `${KIT}/robots/g1_nomesh/g1_nomesh.xml`;
let g1: Promise<PreparedRobot> | null = null;

/** The kit's G1 with the settings of the kit's policy. */
export function preparedG1(): Promise<PreparedRobot> {
  g1 ??= g1With(g1Spec());
  return g1;
}

/** The kit's G1 with the settings that an import suggests. */
export async function suggestedG1(): Promise<PreparedRobot> {
  const { inspected } = await import('./inspected.ts');
  return g1With(inspected(readFileSync(G1_MODEL, 'utf8'), 'g1').spec);
}

async function g1With(spec: object): Promise<PreparedRobot> {
  const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'robot-')), 'g1');
  mkdirSync(folder);
  copyFileSync(G1_MODEL, path.join(folder, 'g1.xml'));
  writeFileSync(path.join(folder, 'robot.yaml'), stringify(spec));
  return prepareRobot({ kind: 'folder', id: 'g1', folder }, path.join(folder, '..', 'cache'));
}

/** By default the two-legged walker, whose mechanics can be computed by hand. */
export async function walkerClipRobot(mjcf = WALKER_MJCF, spec: object = walkerSpec()) {
  const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'robot-')), 'walker');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'walker.xml'), mjcf);
  writeFileSync(path.join(folder, 'robot.yaml'), stringify(spec));
  const cache = path.join(folder, '..', 'cache');
  return openClipRobot(clipSource(await prepareRobot({ kind: 'folder', id: 'walker', folder }, cache)));
}

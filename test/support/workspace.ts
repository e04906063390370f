import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatYaml } from '../../src/core/yaml-file.ts';
import { g1Spec, KIT } from './kit.ts';
import { WALKER_MJCF, walkerSpec } from './models.ts';

/** Adds the two-legged walker. */
export function addWalker(workspace: string): void {
  const folder = path.join(workspace, 'robots/walker');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'walker.xml'), WALKER_MJCF);
  writeFileSync(path.join(folder, 'robot.yaml'), formatYaml(walkerSpec()));
}

/** Adds the kit's G1 with its meshes. */
export function addG1(workspace: string): void {
  const folder = path.join(workspace, 'robots/g1');
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(KIT, 'robots/g1'), folder, { recursive: true });
  writeFileSync(path.join(folder, 'robot.yaml'), formatYaml(g1Spec()));
}

/** Links a clip of the kit into a dataset of G1. */
export function addKitClip(workspace: string, dataset: string, clip: string): void {
  const folder = path.join(workspace, 'data/g1', dataset);
  mkdirSync(folder, { recursive: true });
  symlinkSync(path.join(KIT, 'clips', `${clip}.csv`), path.join(folder, `${clip}.csv`));
}

/** A clip of `rows` rows in which the walker moves along x. */
export function walkerClip(rows: number): string {
  const lines = Array.from({ length: rows }, (_, k) => [k / 100, 0, 0.62, 0, 0, 0, 1, 0.1, 0.2, -0.1, 0.3].join(','));
  return `${lines.join('\n')}\n`;
}

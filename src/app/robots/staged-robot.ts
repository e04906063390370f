import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import type { Tagged } from '../../core/tagged.ts';
import type { SceneModel, Wiring } from '../../protocol/schemas/robots.ts';
import { PREPARED_FILES, type PreparedRobot, textureFile } from '../../robots/prepared-robot.ts';
import { qposOf } from '../../robots/robot-facts.ts';
import { textureNames } from '../../sim/geometry.ts';
import type { RobotForStage } from '../../workers/sim/messages.ts';

const TERRAIN_VERSION = 1;

/** The data from which a viewer draws a robot. */
export interface ViewerModel {
  readonly version: number;
  readonly model: Tagged<SceneModel>;
  readonly bin: Tagged<Uint8Array>;
  /** Reads the texture with this name. @throws StudioError bad_input for a name that no geom uses */
  texture(name: string): Promise<Tagged<Uint8Array>>;
}

/** Returns a function that numbers the versions of shown models. Numbers start at the current time. A page that
 *  stays open during a restart of the service therefore never mistakes a new model for an old one. */
export function modelVersions(): () => number {
  let version = Math.floor(Date.now() / 1000);
  return () => ++version;
}

/** Reads the geometry of a compiled robot for viewers. */
export async function readViewerModel(
  id: string,
  { folder, key }: PreparedRobot,
  version: number,
): Promise<ViewerModel> {
  const [modelJson, bin] = await Promise.all([
    readFile(path.join(folder, PREPARED_FILES.model), 'utf8'),
    readFile(path.join(folder, PREPARED_FILES.bin)),
  ]);
  const content: SceneModel = {
    version,
    robot: id,
    ...(JSON.parse(modelJson) as Omit<SceneModel, 'version' | 'robot'>),
  };
  const names = textureNames(content.geoms);
  const texture = async (name: string) => {
    const index = names.indexOf(name);
    if (index < 0) throw badInput(`name: no geom of the robot in the scene has the texture ${quoteName(name)}`);
    return { content: await readFile(path.join(folder, textureFile(index))), etag: `${key}-${index}` };
  };
  return { version, model: { content, etag: `${key}-${version}` }, bin: { content: bin, etag: key }, texture };
}

export interface StagedPose {
  /** joint positions in qpos order, rad or m */
  readonly values: ArrayLike<number>;
  readonly wiring: Wiring;
  readonly showWiring: boolean;
  readonly version: number;
}

/** Converts a compiled robot to a command for the simulation thread. Unknown bodies get the index -1. */
export function robotForStage({ facts, folder }: PreparedRobot, pose: StagedPose): RobotForStage {
  const index = (body: string) => facts.bodies.findIndex((other) => other.name === body);
  return {
    physicsPath: path.join(folder, PREPARED_FILES.physics),
    wiring: {
      anchor: index(pose.wiring.anchor),
      keybodies: pose.wiring.keybodies.map(index),
      feet: pose.wiring.feet.map(index),
      ends: facts.endEffectors.map(index),
      footSoleZ: facts.footSoleZ,
    },
    qpos: qposOf(facts.rootHeight, Array.from(pose.values)),
    showWiring: pose.showWiring,
    modelVersion: pose.version,
    terrainVersion: TERRAIN_VERSION,
  };
}

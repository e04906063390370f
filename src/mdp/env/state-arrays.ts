import type { EnvState } from '../env-state.ts';

/** Numbers of environments, joints, bodies without the world, keybodies and feet. */
export interface StateSizes {
  readonly n: number;
  readonly joints: number;
  readonly bodies: number;
  readonly keybodies: number;
  readonly feet: number;
}

/** Creates the arrays of {@link EnvState}: zeros, and identity quaternions. */
export function createState({ n, joints, bodies, keybodies, feet }: StateSizes): EnvState {
  const numbers = (width: number) => new Float64Array(n * width);
  const quaternions = (rows: number) => {
    const out = numbers(4 * rows);
    for (let at = 0; at < out.length; at += 4) out[at] = 1;
    return out;
  };
  return {
    n,
    joints,
    bodies,
    jointPos: numbers(joints),
    jointVel: numbers(joints),
    jointAcc: numbers(joints),
    torque: numbers(joints),
    bodyPosW: numbers(3 * bodies),
    bodyQuatW: quaternions(bodies),
    bodyLinVelW: numbers(3 * bodies),
    bodyAngVelW: numbers(3 * bodies),
    actions: numbers(joints),
    previousActions: numbers(joints),
    contactForce: numbers(3 * keybodies),
    footContact: new Uint8Array(n * feet),
    angularMomentum: numbers(3),
    assistForce: numbers(3),
    assistTorque: numbers(3),
    assistGain: numbers(1),
    episodeStep: new Int32Array(n),
    terminated: new Uint8Array(n),
    timedOut: new Uint8Array(n),
    envOrigin: numbers(3),
    clip: new Int32Array(n),
    frame: new Int32Array(n),
    refJointPos: numbers(joints),
    refJointVel: numbers(joints),
    refBodyPosW: numbers(3 * bodies),
    refBodyQuatW: quaternions(bodies),
    refBodyLinVelW: numbers(3 * bodies),
    refBodyAngVelW: numbers(3 * bodies),
    relBodyPosW: numbers(3 * keybodies),
    relBodyQuatW: quaternions(keybodies),
  };
}

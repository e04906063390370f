import type { ClipRobot } from '../motion/clip-robot.ts';

/** Computes the forces and torques that a motion needs, without contacts, limits and equality constraints: those of a
 *  pose that only follows a recording push with forces that nobody felt.
 *
 *  The steps are mj_inverse's own without inertia matrix, constraints and energies, which its result does not need here:
 *  less than half of its time.
 *  @returns computes the state in the robot's data: (nv,) to its view `forces`, body velocities to its data */
export function inverseDynamics(robot: ClipRobot): () => void {
  const { mj, model, data, nv } = robot;
  // Tendons bring lengths and armature of their own, which only mj_inverse adds.
  if (model.ntendon > 0)
    return () => {
      withoutConstraints(robot, () => mj.mj_inverse(model, data));
      robot.views.forces.set(data.qfrc_inverse);
    };
  const armature = Float64Array.from(model.dof_armature as Float64Array);
  return () => {
    mj.mj_kinematics(model, data);
    mj.mj_comPos(model, data);
    mj.mj_comVel(model, data);
    mj.mj_passive(model, data);
    mj.mj_rne(model, data, 1, robot.forces);
    const { qacc, qfrcPassive, forces } = robot.views;
    for (let k = 0; k < nv; k += 1) forces[k]! += armature[k]! * qacc[k]! - qfrcPassive[k]!;
  };
}

function withoutConstraints({ mj, model }: ClipRobot, compute: () => void): void {
  const option = model.opt;
  const flags = option.disableflags;
  option.disableflags = flags | mj.mjtDisableBit.mjDSBL_CONSTRAINT.value;
  try {
    compute();
  } finally {
    option.disableflags = flags;
  }
}

import type { ClipRobot } from '../clip-robot.ts';

/** Computes the forces and torques that a motion needs, without contacts, limits and equality constraints. A
 *  recorded pose slightly violates constraints, and the resulting constraint forces would be artefacts.
 *
 *  Runs the steps of mj_inverse, but omits the inertia matrix, constraints and energies, which the result does not
 *  need. This halves the computation time or better.
 *  @returns a function that reads the state in the robot's data and writes (nv,) forces to its view `forces` */
export function inverseDynamics(robot: ClipRobot): () => void {
  const { mj, model, data, nv } = robot;
  // The steps above omit the forces and armature of tendons, which only mj_inverse adds.
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

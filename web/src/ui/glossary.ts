/** Technical terms that a newcomer may not know, explained in one or two sentences. Shown behind the (?) of a field
 *  and in Help. */
export const GLOSSARY = {
  anchor: {
    term: 'Anchor',
    text: 'The body that represents the position of the robot, usually the torso or pelvis. Errors of the other bodies are measured relative to it.',
  },
  keybody: {
    term: 'Key body',
    text: 'A body whose pose the policy must match with the motion: hands, feet, knees, elbows. Rewards and errors use key bodies.',
  },
  feet: {
    term: 'Foot',
    text: 'A body on which the robot stands. Contacts, foot sliding and the height of the floor are measured there.',
  },
  zeroAction: {
    term: 'Zero action',
    text: 'No policy: the servo of each motor follows the pose of the motion. A policy is useful if it tracks better than this.',
  },
  preset: {
    term: 'Preset',
    text: 'A task with your changes. Only the differences are saved.',
  },
  module: {
    term: 'Module',
    text: 'A named set of changes that several presets share, for example “stronger pushes”.',
  },
  library: {
    term: 'Motion library',
    text: 'The converted clips that a training or a session uses.',
  },
  reference: {
    term: 'Reference',
    text: 'The motion that the policy follows, shown as a green ghost.',
  },
  terminations: {
    term: 'Terminations',
    text: 'Conditions that end an episode, such as a fall. The robot then starts again in the clip.',
  },
  environment: {
    term: 'Environment',
    text: 'One simulated robot with its own clip and its own random pushes.',
  },
  checkpoint: {
    term: 'Checkpoint',
    text: 'A policy saved during a training.',
  },
  gains: {
    term: 'Gains',
    text: 'Stiffness (kp) and damping (kd) of a joint’s servo. Both can be computed from a natural frequency, a damping ratio and the inertia at the joint.',
  },
  action: {
    term: 'Action scale',
    text: 'How far a joint’s target moves, in rad, for an action of 1.',
  },
  armature: {
    term: 'Armature',
    text: 'Inertia of the motor’s rotor, as seen at the joint: rotor inertia × gear ratio².',
  },
  kl: {
    term: 'KL',
    text: 'How much one update changed the policy (Kullback–Leibler divergence). The learning rate is lowered if this divergence is too large.',
  },
  se: {
    term: 'SE (state estimation)',
    text: 'A variant of a task for robots with a position estimate: the policy observes the robot’s position and keeps its heading.',
  },
  ppo: {
    term: 'PPO',
    text: 'Proximal policy optimisation: the learning method of the built-in trainer.',
  },
  fk: {
    term: 'Forward kinematics',
    text: 'Computing where each body is from the joint angles. If the stored body poses of a clip differ from it, the clip was written for another joint order or model.',
  },
} as const;

export type GlossaryKey = keyof typeof GLOSSARY;

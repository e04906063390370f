import { describe, expect, test } from 'vitest';
import { bodyLimbs, jointLimbs } from '../../../src/checks/clip/limbs.ts';

/** @param chains bodies from the root outwards, without the root  @param feet names of bodies */
function robot(chains: readonly (readonly string[])[], feet: readonly string[]) {
  const bodies = [{ name: 'base', parent: -1 }];
  for (const chain of chains)
    for (const [k, name] of chain.entries()) bodies.push({ name, parent: k === 0 ? 0 : bodies.length - 1 });
  const joints = bodies.slice(1).map(({ name }, k) => ({ name: `${name}_joint`, body: k + 1 }));
  return { bodies, joints, wiring: { feet } };
}

const limbsIn = (facts: ReturnType<typeof robot>) => {
  const limbs = bodyLimbs(facts);
  return Object.fromEntries(facts.bodies.map(({ name }, body) => [name, limbs[body]]));
};

describe('limbs', () => {
  test('of a humanoid', () => {
    const facts = robot(
      [
        ['left_hip', 'left_shin', 'left_foot', 'left_toe'],
        ['right_hip', 'right_shin', 'right_foot'],
        ['torso', 'left_shoulder', 'left_hand'],
        ['head'],
      ],
      ['left_foot', 'left_toe', 'right_foot'],
    );
    expect(limbsIn(facts)).toEqual({
      base: 'trunk',
      ...{ left_hip: 'left leg', left_shin: 'left leg', left_foot: 'left leg', left_toe: 'left leg' },
      ...{ right_hip: 'right leg', right_shin: 'right leg', right_foot: 'right leg' },
      ...{ torso: 'trunk', left_shoulder: 'left arm', left_hand: 'left arm', head: 'trunk' },
    });
    expect([...jointLimbs(facts)]).toEqual([
      ['left leg', [0, 1, 2, 3]],
      ['right leg', [4, 5, 6]],
      ['trunk', [7, 10]],
      ['left arm', [8, 9]],
    ]);
  });

  test('of a quadruped are named by its feet, because a side has two legs', () => {
    const legs = ['fl', 'fr', 'hl', 'hr'].map((leg) => [`${leg}.hx`, `${leg}.hy`, `${leg}.kn`]);
    const limbs = limbsIn(robot(legs, ['fl.kn', 'fr.kn', 'hl.kn', 'hr.kn']));
    expect([limbs['base'], limbs['fl.hx'], limbs['hl.hy'], limbs['hr.kn']]).toEqual([
      'trunk',
      'leg of fl.kn',
      'leg of hl.kn',
      'leg of hr.kn',
    ]);
  });

  test('without feet in the wiring are found by names, and leftover is no side', () => {
    const facts = robot([['left_hip'], ['R_ANKLE', 'L_ANKLE'], ['right_wrist_roll'], ['leftover']], []);
    expect(limbsIn(facts)).toEqual({
      ...{ base: 'trunk', left_hip: 'left leg', R_ANKLE: 'right leg', L_ANKLE: 'left leg' },
      ...{ right_wrist_roll: 'right arm', leftover: 'trunk' },
    });
  });
});

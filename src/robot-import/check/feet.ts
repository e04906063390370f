import { sideOf } from '../../protocol/part-sides.ts';
import type { RobotSpec } from '../../protocol/schemas/robots.ts';
import { pathTo } from '../../robots/kinematics/body-tree.ts';
import { measureFootSole } from '../../robots/kinematics/foot-sole.ts';
import type { PosedModel } from '../../robots/kinematics/posed-model.ts';
import { footSlack } from '../inspect/limbs.ts';
import { mm, shortList, threeDigits } from '../number-text.ts';
import { type Check, failed, passed, warned } from './check-report.ts';
import { GROUND_TIME, type Standing } from './watch-standing.ts';

/** Difference between the measured sole and the spec's sole that causes a warning, m. */
const SOLE_SLACK = 0.01;

/** Checks that the robot stands on the feet listed in the spec (`wiring.feet`), and that the left foot comes first.
 *  @param posed the robot in its default pose @param spec must only contain names of bodies of the model */
export function checkFeet(standing: Standing, posed: PosedModel, spec: RobotSpec): Check {
  const { tree } = posed;
  const feet = spec.wiring.feet.map((name) => tree.names.indexOf(name));
  if (feet.length === 0) {
    return failed('feet', 'wiring.feet is empty. List the bodies that stand on the floor, left first.');
  }
  const problem = highFeet(posed, feet, standing.rootZ) ?? wrongOrder(posed, feet);
  if (problem !== null) return failed('feet', problem);
  if (standing.problem !== null) {
    return failed(
      'feet',
      `contacts of the ${feet.length} feet with the floor could not be measured: ${standing.problem}`,
    );
  }
  const carriers = feet.map((foot) => tree.carrierOf[foot]!);
  const footOf = (body: number) => carriers.find((carrier) => isPartOf(posed, body, carrier));
  const sole = measureFootSole(posed, spec.wiring.feet) ?? Number.NaN;
  const touching = [...standing.touching].map((body) => tree.carrierOf[body]!);
  const down = new Set(touching.map(footOf).filter((foot) => foot !== undefined)).size;
  const others = [...new Set(touching.filter((body) => footOf(body) === undefined))].map((body) => tree.names[body]!);
  const stated = spec.foot_sole_z;
  const text =
    `${down} of ${feet.length} feet on the floor after ${GROUND_TIME} s${others.length > 0 ? `, and ${shortList(others)}` : ''}` +
    `; soles ${mm(sole)} below the feet's frames${stated === undefined ? '' : `, in the spec ${mm(stated)}`}`;
  if (down === 0) {
    return failed(
      'feet',
      `${text}. List the bodies that it stands on in wiring.feet, or correct the cause of its fall`,
    );
  }
  const look = down < feet.length || others.length > 0 || Math.abs(sole - (stated ?? sole)) > SOLE_SLACK;
  return look ? warned('feet', text) : passed('feet', text);
}

const TOE_NAME = /toe/i;

/** Returns whether a body is a foot or its part: a toe, or a branch of a foot that branches, such as a gripper. */
function isPartOf({ tree }: PosedModel, body: number, foot: number): boolean {
  if (!pathTo(tree, body).includes(foot)) return false;
  return body === foot || tree.below.get(foot)!.length > 1 || TOE_NAME.test(tree.names[body]!);
}

function highFeet(posed: PosedModel, feet: readonly number[], rootZ: number): string | null {
  const { tree } = posed;
  const lowest = posed.lowest();
  const above = (carrier: number) => posed.extent(carrier, 2)[0] - lowest;
  const isLow = (carrier: number) => above(carrier) <= footSlack(rootZ);
  const high = feet.filter((foot) => !isLow(tree.carrierOf[foot]!));
  if (high.length === 0) return null;
  const list = high.map((foot) => {
    const height = above(tree.carrierOf[foot]!);
    return `${tree.names[foot]} ${Number.isFinite(height) ? `ends ${threeDigits(height)} m above the floor` : 'has no collision shape'}`;
  });
  const low = tree.carriers.filter(isLow).map((body) => tree.names[body]!);
  return `in the default pose ${list.join(', ')}. List the bodies that reach the floor in wiring.feet: ${shortList(low)}`;
}

/** Checks that the left of two feet comes first. Sides are determined by the names of the feet, otherwise by their
 *  positions (+y is left). */
function wrongOrder(posed: PosedModel, feet: readonly number[]): string | null {
  const [first, second] = feet;
  if (feet.length !== 2) return null;
  const { names } = posed.tree;
  const side = (foot: number) => sideOf(names[foot]!, names);
  const [y1, y2] = [posed.position(first!)[1], posed.position(second!)[1]];
  const sides = [side(first!), side(second!)].join(' ');
  if (sides === 'left right' || (sides !== 'right left' && y1 >= y2)) return null;
  return (
    `${names[first!]} (y ${threeDigits(y1)} m) comes before ${names[second!]} (y ${threeDigits(y2)} m): ` +
    'list the left foot first'
  );
}

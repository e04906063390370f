import path from 'node:path';
import { StudioError } from '../../core/errors.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import { PREPARED_FILES, type PreparedRobot } from '../../robots/prepared-robot.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';

/** The selected robot as it was compiled. `Robots` sets it; all modules read it. */
export class SelectedRobot {
  #prepared: PreparedRobot | null = null;

  set(prepared: PreparedRobot): void {
    this.#prepared = prepared;
  }

  /** @throws unavailable until the first robot is selected */
  facts(): RobotFacts {
    return this.#required().facts;
  }

  /** The selected robot as threads load it. @throws unavailable until the first robot is selected */
  clipRobot(): ClipRobotSource {
    const { facts, folder } = this.#required();
    return { physicsPath: path.join(folder, PREPARED_FILES.physics), facts };
  }

  #required(): PreparedRobot {
    if (!this.#prepared) throw new StudioError('unavailable', 'the service is starting: no robot is selected yet');
    return this.#prepared;
  }
}

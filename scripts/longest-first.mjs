import { BaseSequencer } from 'vitest/node';

/** Projects in the order in which they start. The files of the first ones take minutes. If they started last, one
 *  worker would run alone at the end. */
const ORDER = ['portability', 'chaos', 'unit-slow', 'api', 'api-node', 'gateway-node', 'unit'];

/** Starts the projects with the longest files first. */
export class LongestFirst extends BaseSequencer {
  async sort(specs) {
    const place = ({ project }) => ORDER.indexOf(project.name);
    return (await super.sort(specs)).sort((a, b) => place(a) - place(b));
  }
}

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EVENTS } from '../src/mdp/events/events.ts';
import { LIBRARY } from '../src/mdp/library.ts';
import type { ParamSchema } from '../src/mdp/term.ts';

/** Path of the document that describes the terms of tasks. */
export const TERMS_DOCUMENT = fileURLToPath(new URL('../docs/terms.md', import.meta.url));

interface Described {
  readonly description: string;
  readonly aliasOf?: string;
  readonly unit?: string;
  readonly params: Readonly<Record<string, ParamSchema>>;
}

const SECTIONS: readonly (readonly [string, string, Readonly<Record<string, Described>>])[] = [
  [
    'Observations',
    'Values of one environment. Noise, clip, scale, delay and history apply to a value, in this order.',
    LIBRARY.observations,
  ],
  ['Rewards', 'The step’s reward is the sum of weight · value · dt; a weight of 0 leaves a term out.', LIBRARY.rewards],
  [
    'Terminations',
    'A termination that is true ends the episode: as a failure, or as a time-out where `time_out` is true.',
    LIBRARY.terminations,
  ],
  [
    'Events',
    'Changes from outside, such as a push or another friction: once, at a reset, at intervals or at every step.',
    EVENTS,
  ],
];

const INTRODUCTION = `# Terms

The building blocks of a task, by the name of the function upstream (mjlab, wbc-mjlab, whole_body_tracking) and, where it has
another, by the name that tasks give it: presets and runs may use either. Made by \`node --import tsx scripts/terms-doc.ts\`
from the library itself.

World frame unless said otherwise, z up; quaternions wxyz. Index _a_ is the robot's anchor, _refa_ the reference's, _root_
the body that floats; q joint positions, q̇ velocities, τ torques, R(q) the matrix of a quaternion.
`;

/** The whole document, Markdown. */
export function termsDocument(): string {
  return [INTRODUCTION, ...SECTIONS.map(([title, about, terms]) => section(title, about, terms))].join('\n');
}

function section(title: string, about: string, terms: Readonly<Record<string, Described>>): string {
  const functions = Object.entries(terms).filter(([, term]) => term.aliasOf === undefined);
  const rows = functions.map(([name, term]) => {
    const names = Object.keys(terms).filter((other) => terms[other]!.aliasOf === name);
    const unit = term.unit === undefined || term.unit === '1' ? '' : ` [${term.unit}]`;
    return `| ${[name, ...names].map((one) => `\`${one}\``).join('<br>')} | ${cell(term.description)}${unit} | ${params(term.params)} |`;
  });
  return `## ${title}\n\n${about}\n\n| name | what it is | parameters |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function params(schemas: Readonly<Record<string, ParamSchema>>): string {
  return Object.entries(schemas)
    .map(([name, { default: value, unit, description }]) => {
      const shown = `${value === null ? 'none' : JSON.stringify(value)}${unit ? ` ${unit}` : ''}`;
      return `\`${name}\` = ${cell(shown)}: ${cell(description)}`;
    })
    .join('<br>');
}

/** A vertical bar would end the cell of the table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TERMS_DOCUMENT, termsDocument());

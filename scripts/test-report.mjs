import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Longest part of an error in the list of failures, lines. */
const ERROR_LINES = 14;
const SLOWEST = 20;

/** One test as the reporters write it, one JSON object per line.
 *  `started`: a test file or a browser test has begun. Its results follow.
 *  `error` of a passed test: why it failed before it was tried again.
 *  @typedef {{state: 'started' | 'passed' | 'failed' | 'skipped', file: string, name: string, seconds: number, error?: string}} Result */

/** Appends results to a report. What a runner had written before it crashed stays readable.
 *  @param {string} file @param {Result[]} results */
export function appendResults(file, results) {
  appendFileSync(file, results.map((result) => `${JSON.stringify(result)}\n`).join(''));
}

/** @param {string} file @returns {Result[]} an empty list if the runner wrote no report */
export function readResults(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Returns what has begun but has no result: test files, or single browser tests.
 *  @param {Result[]} results */
export function unfinished(results) {
  const text = ({ file, name }) => [file, name].filter(Boolean).join(' · ');
  const ended = new Set(
    results.filter(({ state }) => state !== 'started').flatMap((result) => [result.file, text(result)]),
  );
  const begun = results.filter(({ state }) => state === 'started').map(text);
  return [...new Set(begun)].filter((each) => !ended.has(each));
}

/** @returns the first lines of an error, without colours, and the place in the repository where it was thrown
 *  @param {{message?: string, diff?: string, stack?: string, stacks?: {file: string, line: number, column: number}[]}} error */
export function errorText(error, root) {
  const text = [error.message ?? error.stack ?? String(error), error.diff].filter(Boolean).join('\n');
  const message = stripVTControlCharacters(text).split('\n');
  const lines = message.slice(0, ERROR_LINES);
  if (message.length > ERROR_LINES)
    lines.push(`… ${message.length - ERROR_LINES} more lines above, in the stage's output`);
  const place = error.stacks?.[0];
  if (place !== undefined) lines.push(`at ${path.relative(root, place.file)}:${place.line}:${place.column}`);
  return lines.join('\n');
}

/** @param {{stage: string, results: Result[]}[]} stages @returns the text that ends `npm test`: slowest tests, tests
 *  that passed only at the second attempt, failures and, as the last line, the counts */
export function summary(stages) {
  const all = stages.flatMap(({ stage, results }) => results.map((result) => ({ ...result, stage })));
  const inState = (state) => all.filter((result) => result.state === state);
  const failed = inState('failed');
  const unsteady = inState('passed').filter(({ error }) => error !== undefined);
  const slowest = all.filter(({ seconds }) => seconds > 0).sort((a, b) => b.seconds - a.seconds);
  const lines = [
    '',
    `── the ${Math.min(SLOWEST, slowest.length)} slowest tests`,
    ...slowest
      .slice(0, SLOWEST)
      .map(({ seconds, file, name }) => `${seconds.toFixed(1).padStart(7)} s  ${file}  ${name}`),
    '',
    ...(unsteady.length === 0 ? [] : ['── passed only at the second attempt', ...unsteady.flatMap(failureLines)]),
    ...(failed.length === 0 ? [] : ['── failures', ...failed.flatMap(failureLines)]),
    `${inState('skipped').length} skipped`,
    ...(unsteady.length === 0 ? [] : [`${unsteady.length} passed only at the second attempt`]),
    `${inState('passed').length} passed, ${failed.length} failed`,
    '',
  ];
  return lines.join('\n');
}

function failureLines({ state, stage, file, name, error }) {
  const indented = (error ?? '').split('\n').map((line) => `    ${line}`);
  return [`${state === 'failed' ? '✗' : '~'} ${[stage, file, name].filter(Boolean).join(' · ')}`, ...indented, ''];
}

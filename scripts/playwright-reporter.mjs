import path from 'node:path';
import process from 'node:process';
import { appendResults, errorText } from './test-report.mjs';

/** Writes each result to the report named in `MOTION_STUDIO_TEST_REPORT`. An error outside of every test counts as one
 *  failure. */
export default class PlaywrightReporter {
  #report = process.env.MOTION_STUDIO_TEST_REPORT;
  #root = process.cwd();
  /** Errors of first attempts, by test id. */
  #first = new Map();

  onTestBegin(test) {
    appendResults(this.#report, [{ ...this.#nameOf(test), state: 'started', seconds: 0 }]);
  }

  onTestEnd(test, result) {
    const error = result.errors.map((each) => this.#text(each)).join('\n') || `the test ended as ${result.status}`;
    // A retried test counts once, with its last result.
    if (test.outcome() === 'unexpected' && result.retry < test.retries) {
      this.#first.set(test.id, error);
      return;
    }
    const common = { ...this.#nameOf(test), seconds: result.duration / 1000 };
    if (result.status === 'skipped') appendResults(this.#report, [{ ...common, state: 'skipped' }]);
    else if (test.ok()) appendResults(this.#report, [{ ...common, state: 'passed', error: this.#first.get(test.id) }]);
    else appendResults(this.#report, [{ ...common, state: 'failed', error }]);
  }

  onError(error) {
    appendResults(this.#report, [
      { state: 'failed', file: '', name: 'an error outside of every test', seconds: 0, error: this.#text(error) },
    ]);
  }

  printsToStdio() {
    return false;
  }

  #nameOf(test) {
    const file = `${path.relative(this.#root, test.location.file)}:${test.location.line}`;
    return { file, name: test.titlePath().slice(3).join(' > ') };
  }

  #text(error) {
    return errorText({ ...error, stacks: error.location ? [error.location] : [] }, this.#root);
  }
}

import process from 'node:process';
import { appendResults, errorText } from './test-report.mjs';

/** Writes the results of each test file to the report named in `MOTION_STUDIO_TEST_REPORT` as soon as the file ends.
 *  A failed file or hook and an error outside of every test count as one failure each. */
export default class VitestReporter {
  #report = process.env.MOTION_STUDIO_TEST_REPORT;
  #root = process.cwd();

  // Before the file is imported, which may take long.
  onTestModuleQueued(module) {
    appendResults(this.#report, [{ state: 'started', file: this.#file(module), name: '', seconds: 0 }]);
  }

  onTestModuleEnd(module) {
    const file = this.#file(module);
    const results = [...module.children.allTests()].map((test) => this.#test(file, test));
    for (const part of [module, ...module.children.allSuites()]) {
      for (const error of part.errors()) results.push(this.#failure(file, part.fullName ?? '', error));
    }
    appendResults(this.#report, results);
  }

  onTestRunEnd(_modules, unhandledErrors) {
    appendResults(
      this.#report,
      unhandledErrors.map((error) => this.#failure('', 'an error outside of every test', error)),
    );
  }

  #file(module) {
    return `${module.relativeModuleId} (${module.project.name})`;
  }

  #test(file, test) {
    const { state, errors } = test.result();
    const seconds = (test.diagnostic()?.duration ?? 0) / 1000;
    const common = { file, name: test.fullName, seconds };
    if (state === 'skipped') return { ...common, state };
    const error = errors?.map((each) => errorText(each, this.#root)).join('\n');
    if (state === 'passed') return { ...common, state, ...(error ? { error } : {}) };
    return { ...common, state: 'failed', error: error ?? `the test did not end: ${state}` };
  }

  #failure(file, name, error) {
    return { state: 'failed', file, name, seconds: 0, error: errorText(error, this.#root) };
  }
}

/** A document of the repository that becomes a page. */
export interface Entry {
  /** path in the repository */
  readonly file: string;
  /** name in the list of pages, if the first heading is too long for the list */
  readonly name?: string;
}

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** The first page of the site. */
export const HOME: Entry = { file: 'docs/index.md' };

/** All pages, in the order of the list beside the text. */
export const CONTENTS: readonly Section[] = [
  {
    title: 'Guides',
    entries: [
      { file: 'docs/guides/first-run.md' },
      { file: 'docs/guides/bring-a-robot.md' },
      { file: 'docs/guides/bring-clips.md' },
      { file: 'docs/guides/train.md' },
      { file: 'docs/guides/judge.md' },
      { file: 'docs/deploy.md', name: 'Deploy to a robot' },
      { file: 'docs/script.md', name: 'Script' },
      { file: 'docs/guides/journey.md', name: 'The whole journey' },
      { file: 'docs/guides/operate.md' },
    ],
  },
  {
    title: 'Motion',
    entries: [
      { file: 'docs/formats.md', name: 'Formats' },
      { file: 'docs/checks.md', name: 'Checks' },
      { file: 'docs/curation.md', name: 'Curation' },
      { file: 'docs/editing.md', name: 'Editing' },
    ],
  },
  {
    title: 'Policies',
    entries: [
      { file: 'docs/presets.md', name: 'Presets and modules' },
      { file: 'docs/terms.md' },
      { file: 'docs/trainers.md' },
      { file: 'docs/runs.md' },
      { file: 'docs/play.md' },
      { file: 'docs/evaluation.md' },
      { file: 'docs/recording.md' },
    ],
  },
  {
    title: 'Operation',
    entries: [
      { file: 'docs/install.md' },
      { file: 'docs/operation/service.md' },
      { file: 'docs/operation/container.md' },
      { file: 'docs/operation/proxies.md' },
      { file: 'docs/operation/backup.md' },
      { file: 'docs/sharing.md' },
      { file: 'docs/command-line.md', name: 'Command line' },
    ],
  },
  {
    title: 'Project',
    entries: [
      { file: 'README.md', name: 'Read me' },
      { file: 'CHANGELOG.md' },
      { file: 'ARCHITECTURE.md' },
      { file: 'CONTRIBUTING.md' },
      { file: 'docs/page.md' },
      { file: 'docs/style.md' },
      { file: 'docs/decisions/0001-dataset-index.md' },
      { file: 'docs/decisions/0002-settle-check.md' },
      { file: 'docs/decisions/0003-session-threads.md' },
      { file: 'docs/decisions/0004-stepping-blends.md' },
      { file: 'docs/decisions/learning-levers.md' },
      { file: 'docs/decisions/learning-results.md' },
      { file: 'docs/decisions/learning-screenings.md' },
      { file: 'docs/decisions/libraries.md' },
    ],
  },
];

#!/usr/bin/env node
// The command `motion-studio`: checks Node before it loads anything that an old one could not parse.
'use strict';

require('./check-node.cjs');

/** What loading throws where a file of the installation is missing or damaged; everything else is a bug. */
var DAMAGED = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_INVALID_PACKAGE_CONFIG', 'ERR_PACKAGE_PATH_NOT_EXPORTED'];

import('../dist/cli/main.js').catch(function (error) {
  if (!(error instanceof SyntaxError) && DAMAGED.indexOf(error.code) < 0) throw error;
  process.stderr.write(
    'motion-studio: the installation is incomplete: ' +
      String(error.message).split('\n')[0] +
      '. Install motion-studio again; in a clone, delete the folders node_modules and dist and run npm start.\n'
  );
  process.exit(1);
});

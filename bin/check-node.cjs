// Loaded before anything else, by the command and by the scripts. CommonJS in the syntax of ES5, so that a Node that is
// too old parses it and can say so.
'use strict';

var oldest = require('../package.json').engines.node.replace('>=', '');
var wanted = oldest.split('.');
var found = process.versions.node.split('.');

if (Number(found[0]) < Number(wanted[0]) || (found[0] === wanted[0] && Number(found[1]) < Number(wanted[1]))) {
  process.stderr.write(
    'motion-studio needs Node ' +
      oldest +
      ' or newer, this is ' +
      process.versions.node +
      '. Install a current version from https://nodejs.org or with your version manager.\n'
  );
  process.exit(1);
}

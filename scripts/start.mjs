/** `npm start`. Imports only the check statically: an old Node cannot parse the other scripts. */
import '../bin/check-node.cjs';

import('./serve.mjs');

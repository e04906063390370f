/** `npm start`. Nothing but the check is imported at once: the rest is in a syntax that an old Node cannot parse. */
import '../bin/check-node.cjs';

import('./serve.mjs');

// SPDX-License-Identifier: MIT
// The package's worker under an address of this page's own: where a server sends a policy with every
// file, a worker has that of its script, and only this page's may connect to other servers.
import 'fastweights/worker';

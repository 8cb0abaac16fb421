// SPDX-License-Identifier: MIT
// A service worker that answers messages by what models say.
import * as fastweights from '../../../dist/service-worker.js';
import { answer } from './answers.js';

addEventListener('message', (event) => event.waitUntil(answer(fastweights, event)));

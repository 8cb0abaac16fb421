// SPDX-License-Identifier: MIT
// A service worker that imports the package by its name alone.
import * as fastweights from '../../../dist/index.js';
import { answer } from './answers.js';

addEventListener('message', (event) => event.waitUntil(answer(fastweights, event)));

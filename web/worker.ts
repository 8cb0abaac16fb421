// SPDX-License-Identifier: MIT
import { expose } from 'comlink';
import { Engine } from './engine.js';
import { carryErrors } from './rpc.js';
import { carrySources } from './worker-source.js';

carryErrors();
carrySources();
expose(new Engine());

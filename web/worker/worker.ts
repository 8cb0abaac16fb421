// SPDX-License-Identifier: MIT
import { expose } from 'comlink';
import { Engine } from '../engine/engine.js';
import { carrySources } from './posted-source.js';
import { carryErrors } from './rpc.js';

carryErrors();
carrySources();
expose(new Engine());

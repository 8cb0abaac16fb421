// SPDX-License-Identifier: MIT
import create from 'fastweights-glue/relaxed-threads';
import { runThread } from './thread.js';

runThread(create);

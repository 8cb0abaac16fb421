// SPDX-License-Identifier: MIT
import { nextApp } from './next-app.js';

export default { name: 'Next 16, Turbopack', ...nextApp('turbopack') };

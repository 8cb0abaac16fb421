// SPDX-License-Identifier: MIT
// Fetched with the first session: half of the package's JavaScript, which a page that only completes
// text does without.
export { ChatTemplate } from '../text/chat-template.js';
export { Conversation } from './conversation.js';

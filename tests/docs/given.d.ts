// SPDX-License-Identifier: MIT
// Names that blocks of the documents use without saying where they come from; given.js makes them.
import type * as fastweights from 'fastweights';

declare global {
  type Message = fastweights.Message;
  type ResponseStream = fastweights.ResponseStream;
  var loadModel: typeof fastweights.loadModel;
  var hubUrl: typeof fastweights.hubUrl;
  /** A loaded model, and a session of it that is new in each block. */
  var model: fastweights.Model;
  var session: fastweights.Session;
  /** An address of a model. */
  var url: string;
  /** A mirror of a model hub. */
  var host: string;
  /** What a system prompt says. */
  var instructions: string;
  /** A text of some length. */
  var text: string;
  /** `<input type="file">`, and one for folders with a checkpoint in it. */
  var input: { files: File[] };
  var folderInput: { files: File[] };
  /** The files of a checkpoint. */
  var config: Blob;
  var tokenizer: Blob | undefined;
  var weights: Blob[];
  /** In a service worker messages are events that it waits for. */
  interface MessageEvent {
    waitUntil(work: Promise<unknown>): void;
  }
  /** Of docs/mcp.md: what its page.js exports. */
  var server: { tools(): Promise<fastweights.Tool[]> };
  var answer: (
    session: fastweights.Session,
    input: string,
    show: (text: string) => void,
  ) => Promise<void>;
}

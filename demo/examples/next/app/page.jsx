// SPDX-License-Identifier: MIT
// The server renders this; the model runs in the visitor's browser, and no text leaves it.
import { Writer } from './writer.jsx';

export default function Page() {
  return (
    <main>
      <h1>A text that goes on</h1>
      <Writer />
    </main>
  );
}

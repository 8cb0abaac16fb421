// SPDX-License-Identifier: MIT
// What the extension uses of Chromium's.

declare namespace chrome {
  interface Happening<Listener> {
    addListener(listener: Listener): void;
  }

  interface Port {
    name: string;
    // biome-ignore lint/suspicious/noExplicitAny: whatever the other end posts
    onMessage: Happening<(message: any) => void>;
    onDisconnect: Happening<() => void>;
    postMessage(message: object): void;
    disconnect(): void;
  }

  const runtime: {
    connect(options: { name: string }): Port;
    onConnect: Happening<(port: Port) => void>;
  };

  const offscreen: {
    hasDocument(): Promise<boolean>;
    createDocument(options: {
      url: string;
      reasons: string[];
      justification: string;
    }): Promise<void>;
  };

  const sidePanel: {
    setPanelBehavior(behaviour: { openPanelOnActionClick: boolean }): Promise<void>;
  };
}

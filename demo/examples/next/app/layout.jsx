// SPDX-License-Identifier: MIT
import './style.css';

export const metadata = { title: 'A text that goes on', icons: 'data:,' };

/** @param {{ children: import('react').ReactNode }} props */
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}

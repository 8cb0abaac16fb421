// SPDX-License-Identifier: MIT
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './style.css';

const main = document.createElement('main');
document.body.append(main);
createRoot(main).render(<App />);

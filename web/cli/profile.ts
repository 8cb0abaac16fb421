// SPDX-License-Identifier: MIT
import type { WasmProfileRow } from '../wasm/glue.js';

/** Where the time of a phase went: one part, or all products with matrices of one format and shape. */
interface Part {
  part: string;
  calls: number;
  ms: number;
  /** Of the phase's time, 0 to 1. */
  share: number;
  /** Multiplications and additions, 1e9 a second; only of what counts them. */
  gops?: number;
  /** Weights read, 1e9 bytes a second; only of products. */
  gbps?: number;
}

interface PhaseProfile {
  /** Tokens read or written while the clock ran. */
  tokens: number;
  ms: number;
  /** The most expensive first. */
  parts: Part[];
}

export interface ProfileReport {
  prefill: PhaseProfile;
  decode: PhaseProfile;
}

export function profileReport(
  rows: WasmProfileRow[],
  tokens: { prefill: number; decode: number },
): ProfileReport {
  const phase = (name: 'prefill' | 'decode'): PhaseProfile => {
    const own = rows.filter((row) => row.phase === name);
    const ms = own.reduce((sum, row) => sum + row.ms, 0);
    const parts = [...groups(own).values()].map((group) => partOf(group, ms));
    return { tokens: tokens[name], ms, parts: parts.sort((a, b) => b.ms - a.ms) };
  };
  return { prefill: phase('prefill'), decode: phase('decode') };
}

function groups(rows: WasmProfileRow[]): Map<string, WasmProfileRow[]> {
  const found = new Map<string, WasmProfileRow[]>();
  for (const row of rows) {
    const key = row.matrix ? `product ${row.format} ${row.rows}x${row.columns}` : row.name;
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found;
}

function partOf(group: WasmProfileRow[], phaseMs: number): Part {
  const sum = (pick: (row: WasmProfileRow) => number) =>
    group.reduce((total, row) => total + pick(row), 0);
  const [{ name, matrix, format, rows, columns }] = group as [WasmProfileRow];
  const matrices = group.map((row) => row.matrix).join(', ');
  const ms = sum((row) => row.ms);
  const perSecond = (count: number) => (count > 0 ? count / 1e6 / ms : undefined);
  return {
    part: matrix ? `${name} ${format} ${rows}x${columns} (${matrices})` : name,
    calls: sum((row) => row.calls),
    ms,
    share: ms / phaseMs,
    gops: perSecond(sum((row) => row.operations)),
    gbps: perSecond(sum((row) => row.weightBytes)),
  };
}

/** The report as two tables. */
export function profileTable(report: ProfileReport): string {
  return `${phaseTable('prefill', report.prefill)}\n${phaseTable('decode', report.decode)}`;
}

function phaseTable(name: string, { tokens, ms, parts }: PhaseProfile): string {
  const cells = parts.map((part) => [
    part.part,
    String(part.calls),
    part.ms.toFixed(1),
    `${(100 * part.share).toFixed(1)} %`,
    part.gops?.toFixed(1) ?? '',
    part.gbps?.toFixed(1) ?? '',
  ]);
  const lines = [['part', 'calls', 'ms', 'share', 'GOP/s', 'GB/s'], ...cells];
  const widths = [0, 1, 2, 3, 4, 5].map((i) =>
    Math.max(...lines.map((line) => (line[i] as string).length)),
  );
  const text = lines.map((line) =>
    line
      .map((cell, i) => {
        const width = widths[i] as number;
        return i === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  const each = tokens > 0 ? `, ${(ms / tokens).toFixed(2)} ms a token` : '';
  return `${name}: ${tokens} tokens, ${ms.toFixed(0)} ms${each}\n${text.join('\n')}\n`;
}

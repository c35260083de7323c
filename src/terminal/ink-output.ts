// Ink draws the whole screen anew for each frame; here only rows that the frame before did not have. The build puts it around Ink's Output.

type Clip = { x1?: number | undefined; x2?: number | undefined; y1?: number | undefined; y2?: number | undefined };
type Transformer = (line: string, index: number) => string;
type Write = { type: 'write'; x: number; y: number; text: string; transformers: readonly Transformer[] };
export type InkOperation = Write | { type: 'clip'; clip: Clip } | { type: 'unclip' };

/** What Ink's Output is to us: operations in, rows out. */
export type InkOutput = { operations: InkOperation[]; width: number; height: number; get(): { output: string; height: number } };
export type MakeInkOutput = new (options: { width: number; height: number }) => InkOutput;

/** What is written into one row: line `line` of a text, as far as its clip leaves it. */
type Piece = { write: Write; line: number; clip: Clip | undefined };

/** The same class with the same result, to the byte, that remembers the rows of its last frame by what was written into them. */
export function keepingRows(Whole: MakeInkOutput): MakeInkOutput {
  let kept = new Map<string, string>();

  const draw = (width: number, rows: readonly (readonly Piece[])[]): string[] => {
    const part = new Whole({ width, height: rows.length });
    for (const [y, pieces] of rows.entries()) {
      for (const { write, line, clip } of pieces) {
        part.operations.push({ type: 'clip', clip: { ...clip, y1: y, y2: y + 1 } }, { ...write, y: y - line }, { type: 'unclip' });
      }
    }
    return part.get().output.split('\n');
  };

  return class extends Whole {
    override get(): { output: string; height: number } {
      const { width, height } = this;
      const rows = piecesOf(this.operations, height);
      const keys = rows.map((pieces) => `${width}${pieces.map(keyOf).join('')}`);
      const missing = new Map<string, readonly Piece[]>();
      for (const [y, key] of keys.entries()) if (!kept.has(key)) missing.set(key, rows[y] ?? []);
      const drawn = missing.size === 0 ? [] : draw(width, [...missing.values()]);
      const before = kept;
      const added = new Map([...missing.keys()].map((key, at) => [key, drawn[at] ?? '']));
      kept = new Map(keys.map((key) => [key, added.get(key) ?? before.get(key) ?? '']));
      return { output: keys.map((key) => kept.get(key)).join('\n'), height };
    }
  };
}

/** What is written into each row, in the order of writing. */
function piecesOf(operations: readonly InkOperation[], height: number): Piece[][] {
  const rows: Piece[][] = Array.from({ length: height }, () => []);
  const clips: (Clip | undefined)[] = [];
  for (const operation of operations) {
    const clip = clips.at(-1);
    if (operation.type === 'clip') clips.push(clip ? meet(clip, operation.clip) : operation.clip);
    else if (operation.type === 'unclip') clips.pop();
    else if (!clip || !isEmpty(clip)) {
      for (const [index, piece] of linesOf(operation).entries()) {
        const y = operation.y + index;
        if (y >= (clip?.y1 ?? 0) && y < (clip?.y2 ?? height)) rows[y]?.push({ ...piece, clip });
      }
    }
  }
  return rows;
}

/** The lines of a text, each as a text of its own where neither styles nor transformers make one of them more than it says. */
function linesOf(write: Write): Omit<Piece, 'clip'>[] {
  const { text } = write;
  if (!text.includes('\n')) return [{ write, line: 0 }];
  const lines = text.split('\n');
  const apart = !text.includes('\x1b]') && lines.every((line) => !line.includes('\x1b') || line.endsWith('\x1b[0m')) && transformed(write) === text;
  return lines.map((line, index) => (apart ? { write: { ...write, text: line, transformers: [] }, line: 0 } : { write, line: index }));
}

function transformed({ text, transformers }: Write): string {
  if (transformers.length === 0) return text;
  return text.split('\n').map((line, index) => transformers.reduce((done, transform) => transform(done, index), line)).join('\n');
}

/** Two rows with the same keys look the same. Lengths stand before texts, so that no text can pretend to be two. */
function keyOf({ write, line, clip }: Piece): string {
  const { x, text } = write;
  const shown = transformed(write);
  return `;${x},${clip?.x1},${clip?.x2},${line},${text.length}:${text}${shown === text ? '' : `>${shown.length}:${shown}`}`;
}

function meet(outer: Clip, inner: Clip): Clip {
  return {
    x1: tighter(Math.max, outer.x1, inner.x1), x2: tighter(Math.min, outer.x2, inner.x2),
    y1: tighter(Math.max, outer.y1, inner.y1), y2: tighter(Math.min, outer.y2, inner.y2),
  };
}

function tighter(pick: (a: number, b: number) => number, a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : pick(a, b);
}

function isEmpty({ x1, x2, y1, y2 }: Clip): boolean {
  return (x1 !== undefined && x2 !== undefined && x1 >= x2) || (y1 !== undefined && y2 !== undefined && y1 >= y2);
}

// A QR code (ISO/IEC 18004) of a short text: bytes, error correction level M, versions 1 to 13.

/** True is dark. */
export type Modules = readonly (readonly boolean[])[];

/** By version: the error correction codewords of a block, and the number of blocks. */
const EC_PER_BLOCK = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22];
const BLOCKS = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9];
const MAX_VERSION = 13;
/** Level M, as it stands in the format bits. */
const LEVEL_M = 0;

/** Throws for a text of more than 331 bytes. */
export function encodeQr(text: string): Modules {
  const bytes = new TextEncoder().encode(text);
  const version = findVersion(bytes.length);
  const codewords = interleave(toDataCodewords(bytes, version), version);
  const grid = drawFunctions(version);
  const isFree = grid.map((row) => row.map((module) => module === undefined));
  drawCodewords(grid, codewords);
  const masked = Array.from({ length: 8 }, (_, mask) => drawMask(grid, isFree, mask));
  const penalties = masked.map(countPenalty);
  return masked[penalties.indexOf(Math.min(...penalties))] ?? [];
}

function countModules(version: number): number {
  return version * 4 + 17;
}

/** The codewords that fit beside the fixed patterns. */
export function countCodewords(version: number): number {
  const aligned = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const free = (16 * version + 128) * version + 64 - (aligned ? (25 * aligned - 10) * aligned - 55 : 0);
  return Math.floor((free - (version >= 7 ? 36 : 0)) / 8);
}

function countData(version: number): number {
  return countCodewords(version) - (EC_PER_BLOCK[version] ?? 0) * (BLOCKS[version] ?? 0);
}

function findVersion(length: number): number {
  for (let version = 1; version <= MAX_VERSION; version += 1) {
    if (length <= countData(version) - (version < 10 ? 2 : 3)) return version;
  }
  throw new RangeError(`${length} bytes do not fit into a QR code of version ${MAX_VERSION}`);
}

/** The mode, the length, the bytes and the padding. */
function toDataCodewords(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1);
  };
  put(0b0100, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, 4);
  const codewords: number[] = [];
  for (let at = 0; at < bits.length; at += 8) codewords.push(Number.parseInt(bits.slice(at, at + 8).join(""), 2));
  while (codewords.length < countData(version))
    codewords.push(codewords.length % 2 === padStart(bytes, version) ? 0xec : 0x11);
  return codewords;
}

/** The padding begins with 0xEC wherever it begins. */
function padStart(bytes: Uint8Array, version: number): number {
  return (bytes.length + (version < 10 ? 2 : 3)) % 2;
}

/** The blocks with their error correction, one codeword of each block after the other. */
function interleave(data: readonly number[], version: number): number[] {
  const [count, ecLength] = [BLOCKS[version] ?? 0, EC_PER_BLOCK[version] ?? 0];
  const shortLength = Math.floor(data.length / count);
  const firstLong = count - (data.length % count);
  const blocks = Array.from({ length: count }, (_, block) => {
    const start = block * shortLength + Math.max(0, block - firstLong);
    return data.slice(start, start + shortLength + (block >= firstLong ? 1 : 0));
  });
  const corrections = blocks.map((block) => correct(block, ecLength));
  const take = (lists: readonly (readonly number[])[], length: number) =>
    Array.from({ length }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
  return [...take(blocks, shortLength + 1), ...take(corrections, ecLength)];
}

/** Multiplies in the field of 256 elements with the polynomial 0x11D. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

/** The Reed-Solomon codewords of a block. */
export function correct(data: readonly number[], length: number): number[] {
  let divisor = [...Array.from({ length: length - 1 }, () => 0), 1];
  for (let i = 0, root = 1; i < length; i += 1, root = multiply(root, 2)) {
    divisor = divisor.map((each, at) => multiply(each, root) ^ (divisor[at + 1] ?? 0));
  }
  return data.reduce<number[]>(
    (rest, each) => {
      const factor = each ^ (rest[0] ?? 0);
      const shifted = [...rest.slice(1), 0];
      return shifted.map((value, at) => value ^ multiply(divisor[at] ?? 0, factor));
    },
    Array.from({ length }, () => 0),
  );
}

type Grid = (boolean | undefined)[][];

function put(grid: Grid, row: number, column: number, isDark: boolean): void {
  const line = grid[row];
  if (line && column >= 0 && column < grid.length) line[column] = isDark;
}

/** Everything but the codewords; the format is drawn with the mask. */
function drawFunctions(version: number): Grid {
  const size = countModules(version);
  const grid: Grid = Array.from({ length: size }, () => Array.from({ length: size }, () => undefined));
  for (let at = 0; at < size; at += 1) {
    put(grid, 6, at, at % 2 === 0);
    put(grid, at, 6, at % 2 === 0);
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    drawRings(grid, row, column, 4);
  const places = listAlignments(version);
  const [near, far] = [places[0], places.at(-1)];
  for (const row of places) {
    for (const column of places) {
      const isAtFinder = (row === near && (column === near || column === far)) || (row === far && column === near);
      if (!isAtFinder) drawRings(grid, row, column, 2);
    }
  }
  drawFormat(grid, 0);
  drawVersion(grid, version);
  return grid;
}

/** A finder pattern with its white border, or an alignment pattern. */
function drawRings(grid: Grid, row: number, column: number, radius: number): void {
  for (let y = -radius; y <= radius; y += 1) {
    for (let x = -radius; x <= radius; x += 1) {
      const distance = Math.max(Math.abs(x), Math.abs(y));
      if (grid[row + y]) put(grid, row + y, column + x, distance !== (radius === 4 ? 2 : 1) && distance !== 4);
    }
  }
}

function listAlignments(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const places = Array.from({ length: count - 1 }, (_, i) => countModules(version) - 7 - step * i);
  return [6, ...places.toReversed()];
}

/** The bits with their remainder by the generator. */
function withRemainder(value: number, generator: number, length: number): number {
  let rest = value;
  for (let i = 0; i < length; i += 1) rest = (rest << 1) ^ ((rest >>> (length - 1)) * generator);
  return (value << length) | rest;
}

/** The 15 bits that name level and mask. */
export function buildFormat(mask: number): number {
  return withRemainder((LEVEL_M << 3) | mask, 0x537, 10) ^ 0x5412;
}

/** The 18 bits that name the version. */
export function buildVersion(version: number): number {
  return withRemainder(version, 0x1f25, 12);
}

function drawFormat(grid: Grid, mask: number): void {
  const bits = buildFormat(mask);
  const isDark = (bit: number) => ((bits >>> bit) & 1) === 1;
  const size = grid.length;
  for (let bit = 0; bit < 6; bit += 1) put(grid, bit, 8, isDark(bit));
  put(grid, 7, 8, isDark(6));
  put(grid, 8, 8, isDark(7));
  put(grid, 8, 7, isDark(8));
  for (let bit = 9; bit < 15; bit += 1) put(grid, 8, 14 - bit, isDark(bit));
  for (let bit = 0; bit < 8; bit += 1) put(grid, 8, size - 1 - bit, isDark(bit));
  for (let bit = 8; bit < 15; bit += 1) put(grid, size - 15 + bit, 8, isDark(bit));
  put(grid, size - 8, 8, true);
}

function drawVersion(grid: Grid, version: number): void {
  if (version < 7) return;
  const bits = buildVersion(version);
  for (let bit = 0; bit < 18; bit += 1) {
    const isDark = ((bits >>> bit) & 1) === 1;
    const [far, near] = [grid.length - 11 + (bit % 3), Math.floor(bit / 3)];
    put(grid, near, far, isDark);
    put(grid, far, near, isDark);
  }
}

/** In columns of two from the right, upwards and downwards in turn; the column of the timing pattern is left out. */
function listPlaces(size: number): { row: number; column: number }[] {
  const rights = Array.from({ length: (size - 1) / 2 }, (_, pair) => size - 1 - 2 * pair);
  return rights.flatMap((from) => {
    const right = from <= 6 ? from - 1 : from;
    const isUpwards = ((right + 1) & 2) === 0;
    return Array.from({ length: size }, (_, step) => (isUpwards ? size - 1 - step : step)).flatMap((row) => [
      { row, column: right },
      { row, column: right - 1 },
    ]);
  });
}

function drawCodewords(grid: Grid, codewords: readonly number[]): void {
  const free = listPlaces(grid.length).filter(({ row, column }) => grid[row]?.[column] === undefined);
  free.forEach(({ row, column }, bit) => {
    put(grid, row, column, (((codewords[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1);
  });
}

const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

function drawMask(grid: Grid, isFree: readonly (readonly boolean[])[], mask: number): Modules {
  const flips = MASKS[mask];
  const drawn: Grid = grid.map((line, row) =>
    line.map(
      (module, column) => (module === true) !== (isFree[row]?.[column] === true && flips?.(row, column) === true),
    ),
  );
  drawFormat(drawn, mask);
  return drawn.map((line) => line.map((module) => module === true));
}

/** How hard the code is to read: long runs, blocks, shapes like a finder, and too much of one colour. */
function countPenalty(modules: Modules): number {
  const columns = modules.map((_, column) => modules.map((line) => line[column] === true));
  const lines = [...modules, ...columns].map((line) => line.map(Number).join(""));
  const dark = modules.flat().filter(Boolean).length / modules.length ** 2;
  return (
    lines.reduce((sum, line) => sum + countRuns(line) + countFinders(line), 0) +
    countBlocks(modules) +
    Math.floor(Math.abs(dark - 0.5) * 20) * 10
  );
}

function countRuns(line: string): number {
  return [...line.matchAll(/0{5,}|1{5,}/g)].reduce((sum, [run]) => sum + run.length - 2, 0);
}

function countFinders(line: string): number {
  return 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length;
}

function countBlocks(modules: Modules): number {
  let penalty = 0;
  for (let row = 1; row < modules.length; row += 1) {
    for (let column = 1; column < modules.length; column += 1) {
      const [above, line] = [modules[row - 1], modules[row]];
      const corner = line?.[column];
      if (corner === line?.[column - 1] && corner === above?.[column] && corner === above?.[column - 1]) penalty += 3;
    }
  }
  return penalty;
}

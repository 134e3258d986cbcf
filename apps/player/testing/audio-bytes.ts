/** Bytes that count as an MP3: frames of 417 bytes whose content depends on the seed. */
export function makeMp3(sizeBytes: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  const header = Buffer.from("fffb9000", "hex");
  let chance = seed >>> 0;
  for (let at = 0; at < sizeBytes; at += 1) {
    const within = at % 417;
    chance = (Math.imul(chance, 1_664_525) + 1_013_904_223) >>> 0;
    // A frame's content must not look like the beginning of another frame.
    bytes[at] = within < 4 ? (header[within] ?? 0) : chance >>> 25;
  }
  return bytes;
}

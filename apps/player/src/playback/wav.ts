const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;

export function wavBytes(sampleCount: number): number {
  return HEADER_BYTES + sampleCount * SAMPLE_BYTES;
}

/** A mono WAV file with 16-bit samples, silent until its samples are set. */
export function createWav(
  rate: number,
  sampleCount: number,
): { wav: Buffer; set: (at: number, sample: number) => void } {
  const wav = Buffer.alloc(wavBytes(sampleCount));
  wav.write("RIFF", 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * SAMPLE_BYTES, 28);
  wav.writeUInt16LE(SAMPLE_BYTES, 32);
  wav.writeUInt16LE(SAMPLE_BYTES * 8, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(sampleCount * SAMPLE_BYTES, 40);
  return { wav, set: (at, sample) => void wav.writeInt16LE(sample, wavBytes(at)) };
}

import { createHash } from "node:crypto";
import { Transform, type TransformCallback } from "node:stream";
import { crc32 } from "node:zlib";
import type { Content } from "./manifest.ts";

const LINE_FEED = 10;

/** Passes an entry on and measures it. Each row ends with a line feed; those in values are escaped. */
export class Meter extends Transform {
  rows = 0;
  bytes = 0;
  crc = 0;
  readonly #hash = createHash("sha256");
  readonly #onProgress: (meter: Meter) => void;

  constructor(onProgress: (meter: Meter) => void = () => undefined) {
    super({ highWaterMark: 1 << 20 });
    this.#onProgress = onProgress;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.crc = crc32(chunk, this.crc);
    this.#hash.update(chunk);
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) this.rows++;
    this.#onProgress(this);
    done(null, chunk);
  }

  /** To be called once, after the end. */
  content(): Content {
    return { rows: this.rows, bytes: this.bytes, sha256: this.#hash.digest("hex") };
  }
}

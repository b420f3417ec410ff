/** Limits how long a download may hold its database connection. */
export interface DownloadLimits {
  /** bytes that the reader must receive within each `window` */
  least: number;
  /** milliseconds */
  window: number;
  /** milliseconds for the whole download */
  deadline: number;
}

/**
 * Streams pieces of text at the reader's speed. When the reader is too slow or exceeds the deadline, the stream ends with an error, so that
 * clients do not treat the file as complete.
 * @param pieces is closed (`return`) when the download ends early
 * @param onEnd called exactly once; `cutOff` is the reason when the reader was cut off
 */
export function download(
  pieces: AsyncGenerator<string, void>,
  { least, window, deadline }: DownloadLimits,
  onEnd: (cutOff: string | undefined) => void,
): ReadableStream<Uint8Array> {
  const text = new TextEncoder();
  let taken = 0;
  let producing = false;
  let watch: NodeJS.Timeout;
  let last: NodeJS.Timeout;

  const end = (cutOff?: string): void => {
    clearInterval(watch);
    clearTimeout(last);
    onEnd(cutOff);
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const cut = (reason: string): void => {
          end(reason);
          controller.error(new Error(reason));
          // Ends after the piece that is being produced.
          pieces.return().catch(() => undefined);
        };
        watch = setInterval(() => {
          // The reader is not slow while a piece is being produced.
          if (!producing && taken < least)
            cut(`the reader received ${taken} bytes in ${window} ms; at least ${least} are required`);
          taken = 0;
        }, window);
        last = setTimeout(() => {
          cut(`the download did not finish within ${deadline} ms`);
        }, deadline);
      },
      async pull(controller) {
        producing = true;
        try {
          const { value, done } = await pieces.next();
          if (done === true) {
            end();
            controller.close();
          } else {
            const bytes = text.encode(value);
            taken += bytes.length;
            controller.enqueue(bytes);
          }
        } catch (error) {
          end();
          throw error;
        } finally {
          producing = false;
        }
      },
      async cancel() {
        end();
        await pieces.return();
      },
    },
    // Produce a piece only when the reader requests it.
    { highWaterMark: 0 },
  );
}

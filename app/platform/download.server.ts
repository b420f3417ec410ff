/** How long a download may hold what it is made from. */
export interface DownloadLimits {
  /** bytes that the reader takes within `window` at least */
  least: number;
  /** milliseconds */
  window: number;
  /** milliseconds for all of it */
  deadline: number;
}

/**
 * A download of pieces of text, made as fast as its reader takes them. A reader that is too slow, or not done by the deadline, is cut off: the
 * stream ends with an error, so that no client takes the file for complete.
 * @param pieces is left (`return`) when the download ends before it does
 * @param onEnd called once, however the download ends
 */
export function download(
  pieces: AsyncGenerator<string, void>,
  { least, window, deadline }: DownloadLimits,
  onEnd: (cutOff: string | undefined) => void,
): ReadableStream<Uint8Array> {
  const text = new TextEncoder();
  let taken = 0;
  let making = false;
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
          // A piece that is being made is the last one.
          pieces.return().catch(() => undefined);
        };
        watch = setInterval(() => {
          // While a piece is being made the reader is not at fault.
          if (!making && taken < least)
            cut(`the reader took ${taken} bytes in ${window} ms, at least ${least} are needed`);
          taken = 0;
        }, window);
        last = setTimeout(() => {
          cut(`the download was not done after ${deadline} ms`);
        }, deadline);
      },
      async pull(controller) {
        making = true;
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
          making = false;
        }
      },
      async cancel() {
        end();
        await pieces.return();
      },
    },
    // What nobody takes is not made.
    { highWaterMark: 0 },
  );
}

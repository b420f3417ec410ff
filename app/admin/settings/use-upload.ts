import { useRevalidator } from "@remix-run/react";
import { useCallback, useState } from "react";
import { PART_BYTES } from "../../wishlists/transfer/import-data.ts";

/** Uploads the part of a file that begins at an offset. @returns the number of bytes that the server has */
async function sendPart(file: File, id: string, offset: number): Promise<number> {
  const query = new URLSearchParams({ import: id, at: String(offset) });
  const response = await fetch(`/app/settings/data/upload?${query.toString()}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: file.slice(offset, offset + PART_BYTES),
  });
  if (!response.ok) throw new Error(`The upload of a part failed with status ${response.status}.`);
  const body: unknown = await response.json();
  if (typeof body !== "object" || body === null || !("received" in body)) {
    throw new Error("The response to an upload has an unknown format.");
  }
  return Number(body.received);
}

const RETRY_DELAYS_MS = [1_000, 2_000, 4_000];

async function sendPartWithRetries(file: File, id: string, offset: number): Promise<number> {
  for (const delay of RETRY_DELAYS_MS) {
    try {
      return await sendPart(file, id, offset);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return sendPart(file, id, offset);
}

export interface Upload {
  /** uploaded bytes; undefined while no upload is in progress */
  sent: number | undefined;
  /** whether the upload was interrupted and can be resumed */
  interrupted: boolean;
  send: (file: File, id: string, offset: number) => Promise<void>;
}

/** Uploads a file in parts, so that no request is long and an interrupted upload can resume. */
export function useUpload(): Upload {
  const { revalidate } = useRevalidator();
  const [sent, setSent] = useState<number>();
  const [interrupted, setInterrupted] = useState(false);
  const send = useCallback(
    async (file: File, id: string, start: number) => {
      setInterrupted(false);
      try {
        let offset = start;
        do {
          setSent(offset);
          offset = await sendPartWithRetries(file, id, offset);
        } while (offset < file.size);
      } catch {
        setInterrupted(true);
      }
      setSent(undefined);
      revalidate();
    },
    [revalidate],
  );
  return { sent, interrupted, send };
}

import { useRevalidator } from "@remix-run/react";
import { useCallback, useState } from "react";
import { PART_BYTES } from "../../wishlists/transfer/import-data.ts";

/** @returns how many bytes of the file have come */
async function sendPart(file: File, id: string, at: number): Promise<number> {
  const query = new URLSearchParams({ import: id, at: String(at) });
  const answer = await fetch(`/app/settings/data/upload?${query.toString()}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: file.slice(at, at + PART_BYTES),
  });
  if (!answer.ok) throw new Error(`a part was answered with ${answer.status}`);
  const said: unknown = await answer.json();
  if (typeof said !== "object" || said === null || !("received" in said)) throw new Error("not an answer");
  return Number(said.received);
}

/** Milliseconds before a part is sent once more: the connection may be back by then. */
const PAUSES = [1_000, 2_000, 4_000];

async function sendPatiently(file: File, id: string, at: number): Promise<number> {
  for (const pause of PAUSES) {
    try {
      return await sendPart(file, id, at);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return sendPart(file, id, at);
}

export interface Upload {
  /** bytes that have come; undefined while nothing is being sent */
  sent: number | undefined;
  /** it was interrupted and can be resumed */
  broken: boolean;
  send: (file: File, id: string, from: number) => Promise<void>;
}

/** Sends a file part by part, so that a slow line needs no long request, and a cut one loses little. */
export function useUpload(): Upload {
  const { revalidate } = useRevalidator();
  const [sent, setSent] = useState<number>();
  const [broken, setBroken] = useState(false);
  const send = useCallback(
    async (file: File, id: string, from: number) => {
      setBroken(false);
      try {
        let at = from;
        do {
          setSent(at);
          at = await sendPatiently(file, id, at);
        } while (at < file.size);
      } catch {
        setBroken(true);
      }
      setSent(undefined);
      revalidate();
    },
    [revalidate],
  );
  return { sent, broken, send };
}

/** An import as the merchant sees it. */
export interface ImportData {
  id: string;
  status: "uploading" | "reading" | "ready" | "running" | "done" | "cancelled" | "failed" | "undoing" | "undone";
  fileName: string;
  /** bytes of the file, bytes received and bytes read */
  size: number;
  received: number;
  readBytes: number;
  /** lines with an item or a problem, and lines that can't be imported */
  rowsRead: number;
  rowsInvalid: number;
  /** different items of the file */
  items: number;
  /**
   * according to the dry run: lists that get items, named lists that will be created, items that will be added, and items of lists that would exceed the
   * cap, can't be created or were merged
   */
  lists: number;
  listsNew: number;
  itemsNew: number;
  itemsRefused: number;
  /** items whose product or variant is not in the catalog cache */
  itemsUnknown: number;
  /** of the import so far: items processed, items added, lists refused, and named lists created */
  itemsDone: number;
  itemsAdded: number;
  listsRefused: number;
  listsCreated: number;
  /** items removed by undoing, and the time until which the import can be undone; null when it can't */
  itemsUndone: number;
  undoUntil: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
  failedReason: string | null;
}

/** Statuses in which an import can be undone, and the days for which it can. */
export const UNDOABLE: readonly string[] = ["done", "cancelled"];
export const UNDO_DAYS = 7;

/** The most problems in an import's report. */
export const MAX_PROBLEMS = 10_000;

export interface ImportKey {
  shopId: number;
  id: string;
}

export interface ProblemData {
  line: number;
  /** "" for a problem of the whole line */
  field: string;
  problem: string;
}

/** Bytes of a part of the upload. Each part is a request, so that an interrupted upload over a slow connection loses little. */
export const PART_BYTES = 1024 * 1024;

/** The most bytes of a file. */
export const FILE_BYTES = 512 * 1024 * 1024;

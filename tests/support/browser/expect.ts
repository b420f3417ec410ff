import { expect as impatient } from "playwright/test";

/** Playwright's `expect` with a timeout for a busy machine. */
export const expect = impatient.configure({ timeout: 60_000 });

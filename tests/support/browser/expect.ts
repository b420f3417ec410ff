import { expect as impatient } from "playwright/test";

/** Waits for what a page is expected to become, for as long as a busy machine may need. */
export const expect = impatient.configure({ timeout: 60_000 });

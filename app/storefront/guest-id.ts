import { z } from "zod";

/** At least 128 random bits, made by the browser. It is sent in bodies only, as addresses are logged and passed on. */
export const guestIdSchema = z.string().regex(/^[\w-]{22,64}$/, "must be 22 to 64 letters, digits, `-` or `_`");

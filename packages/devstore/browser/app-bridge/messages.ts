import { z } from "zod";

/*
 * Messages between the app's frame and the admin, by postMessage. Both sides check the other's origin and the message's
 * shape.
 */

const action = z.object({
  /** identifies an element of the app */
  key: z.string(),
  label: z.string(),
  primary: z.boolean(),
  critical: z.boolean(),
  disabled: z.boolean(),
  loading: z.boolean(),
});
export type Action = z.infer<typeof action>;

export const fromAppSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("call"), id: z.number(), name: z.enum(["idToken", "extensions", "user", "scopes"]) }),
  z.object({
    type: z.literal("scopes"),
    id: z.number(),
    decision: z.enum(["request", "revoke"]),
    scopes: z.array(z.string()),
  }),
  z.object({
    type: z.literal("pick"),
    id: z.number(),
    resource: z.enum(["product", "variant"]),
    /** of the button that ends the choice */
    action: z.enum(["add", "select"]),
    query: z.string(),
    multiple: z.boolean(),
    selected: z.array(z.string()),
  }),
  z.object({
    type: z.literal("toast"),
    id: z.string(),
    message: z.string(),
    error: z.boolean(),
    action: z.string(),
    duration: z.number(),
  }),
  z.object({ type: z.literal("hideToast"), id: z.string() }),
  z.object({ type: z.literal("loading"), on: z.boolean() }),
  z.object({ type: z.literal("location"), path: z.string() }),
  z.object({ type: z.literal("open"), url: z.string() }),
  z.object({
    type: z.literal("menu"),
    links: z.array(z.object({ key: z.string(), href: z.string(), label: z.string(), home: z.boolean() })),
  }),
  z.object({ type: z.literal("title"), title: z.string(), breadcrumb: action.optional(), actions: z.array(action) }),
  z.object({
    type: z.literal("saveBar"),
    shown: z.boolean(),
    save: action.optional(),
    discard: action.optional(),
    /** whether Discard needs a confirmation */
    discardConfirmation: z.boolean(),
  }),
  z.object({ type: z.literal("confirmLeave"), id: z.number() }),
]);
export type FromApp = z.infer<typeof fromAppSchema>;

export const toAppSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("result"), id: z.number(), value: z.unknown() }),
  z.object({ type: z.literal("fail"), id: z.number(), message: z.string() }),
  /** the merchant clicked one of the app's buttons or links in the admin */
  z.object({ type: z.literal("press"), key: z.string() }),
  z.object({ type: z.literal("toastAction"), id: z.string() }),
  z.object({ type: z.literal("toastGone"), id: z.string() }),
  /** the merchant navigated back or forward */
  z.object({ type: z.literal("navigate"), path: z.string() }),
]);
export type ToApp = z.infer<typeof toAppSchema>;

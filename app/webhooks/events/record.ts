import type { z } from "zod";
import type { FlowTrigger } from "./flow-trigger.ts";

/** What the made-up data of a test delivery is derived from. */
export interface TestContext {
  /** ISO 8601 */
  at: string;
  /** address of the app proxy in the store */
  store: string;
}

/** Everything about an event beside the change that causes it. `npm run api:write` writes from it what other programs and people read. */
export interface EventRecord<Name extends string = string, Data extends z.ZodObject = z.ZodObject> {
  name: Name;
  /** what has happened, in the API's documentation */
  meaning: string;
  /** the event in the merchant's admin */
  label: string;
  help: string;
  /** what `data` holds; a receiver must accept further fields */
  data: Data;
  /** Returns the made-up data of a test delivery. */
  test: (context: TestContext) => z.input<Data>;
  /** the trigger of Shopify Flow that the event fires */
  trigger?: FlowTrigger;
}

/** Declares an event. */
export function event<const Name extends string, Data extends z.ZodObject>(
  record: EventRecord<Name, Data>,
): EventRecord<Name> {
  return record;
}

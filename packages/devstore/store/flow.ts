import { now } from "../../../app/platform/clock.server.ts";

/** A workflow of a merchant: a trigger, and the action that sends an email. Its texts are Liquid. */
export interface Workflow {
  id: string;
  name: string;
  /** handle of the trigger */
  trigger: string;
  to: string;
  subject: string;
  body: string;
  isOn: boolean;
}

/** A trigger that the app has sent. */
export interface ReceivedTrigger {
  at: Date;
  handle: string;
  payload: Readonly<Record<string, unknown>>;
  /** what each workflow that was on did */
  runs: { workflow: string; outcome: string }[];
}

/** An email that a workflow has sent. */
export interface Email {
  id: string;
  at: Date;
  workflow: string;
  to: string;
  subject: string;
  body: string;
}

const MAXIMUM_ENTRIES = 500;

/** Shopify Flow in one store. */
export interface Flow {
  workflows: () => readonly Workflow[];
  byId: (id: string) => Workflow | undefined;
  /** Creates a workflow that is off. */
  create: (workflow: Omit<Workflow, "id" | "isOn">) => Workflow;
  remove: (workflow: Workflow) => void;
  /** Turns all workflows off, as uninstalling the app of their triggers does. */
  turnAllOff: () => void;
  /** newest first */
  received: () => readonly ReceivedTrigger[];
  recordTrigger: (trigger: Omit<ReceivedTrigger, "at">) => void;
  /** newest first */
  emails: () => readonly Email[];
  send: (email: Omit<Email, "id" | "at">) => void;
  /** Deletes received triggers and emails. */
  clear: () => void;
}

export function createFlow(): Flow {
  let workflows: Workflow[] = [];
  let received: ReceivedTrigger[] = [];
  let emails: Email[] = [];
  let created = 0;
  let sent = 0;
  return {
    workflows: () => workflows,
    byId: (id) => workflows.find((workflow) => workflow.id === id),
    create(given) {
      const workflow = { ...given, id: String(++created), isOn: false };
      workflows.push(workflow);
      return workflow;
    },
    remove(workflow) {
      workflows = workflows.filter((other) => other !== workflow);
    },
    turnAllOff() {
      for (const workflow of workflows) workflow.isOn = false;
    },
    received: () => received,
    recordTrigger(trigger) {
      received = [{ at: now(), ...trigger }, ...received].slice(0, MAXIMUM_ENTRIES);
    },
    emails: () => emails,
    send(email) {
      emails = [{ id: `flow-${++sent}`, at: now(), ...email }, ...emails].slice(0, MAXIMUM_ENTRIES);
    },
    clear() {
      received = [];
      emails = [];
    },
  };
}

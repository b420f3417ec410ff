/** An expected failure of a command with a message for the operator. */
export class Refusal extends Error {}

/** The command has printed its result, and its exit code is 1, because the result needs the operator's attention. */
export class AttentionNeeded extends Error {}

/** An expected failure of a command with a message for the operator. */
export class Refusal extends Error {}

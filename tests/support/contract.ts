/** An answer as a test received it. */
export interface Received {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

/** @throws when the OpenAPI document does not describe this answer */
export function checkAgainstContract(received: Received): void {
  void received;
}

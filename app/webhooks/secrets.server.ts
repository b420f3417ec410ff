/** What the secrets of endpoints are sealed for. */
export const SECRET_PURPOSE = "webhook_endpoint.secret";

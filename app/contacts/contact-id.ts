/** What the id of a contact begins with. No customer can have such an id: it contains a space. SQL functions know the text as well. */
const PREFIX = "contact ";

/** Tells whether an id that stands for a customer is that of a contact: a shopper without an account who has given an email address. */
export function isContact(customerId: string): boolean {
  return customerId.startsWith(PREFIX);
}

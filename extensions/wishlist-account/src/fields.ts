/** Returns the value of the field that has changed. */
export function valueOf({ currentTarget }: Event): string {
  return currentTarget !== null && "value" in currentTarget ? String(currentTarget.value) : "";
}

/** Tells whether the checkbox that has changed is checked. */
export function isChecked({ currentTarget }: Event): boolean {
  return currentTarget !== null && "checked" in currentTarget && currentTarget.checked === true;
}

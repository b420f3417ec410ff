/** Summary of repeated measurements. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the smallest value that the given share (0 to 1) of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;
}

/** Returns the values of the least-squares line at the first and the last of equally distant values. */
export function lineThrough(values: readonly number[]): { from: number; to: number } {
  const middle = (values.length - 1) / 2;
  const average = mean(values);
  const covariance = values.reduce((sum, value, index) => sum + (index - middle) * (value - average), 0);
  const variance = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  const rise = variance === 0 ? 0 : (covariance / variance) * middle;
  return { from: average - rise, to: average + rise };
}

/** One labelled example: the values of the signals, in the order of the constraints. */
export interface Example {
  values: readonly number[];
  isAttack: boolean;
}

export interface Fit {
  bias: number;
  weights: number[];
}

const STEPS = 3000;
const RATE = 0.5;

/**
 * Logistic regression with an L2 penalty, by projected gradient descent. A sign prevents a weight from contradicting
 * the meaning of its signal: 1 is never negative, -1 never positive.
 */
export function fitWeights(examples: readonly Example[], signs: readonly (1 | -1)[], penalty: number): Fit {
  const scales = signs.map((_, at) => computeScale(examples.map(({ values }) => values[at] ?? 0)));
  const scaled = examples.map(({ values, isAttack }) => ({
    values: scales.map((scale, at) => (values[at] ?? 0) / scale),
    target: isAttack ? 1 : 0,
  }));
  let bias = 0;
  let weights = signs.map(() => 0);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = signs.map(() => 0);
    let biasGradient = 0;
    for (const { values, target } of scaled) {
      const sum = values.reduce((at, value, index) => at + value * (weights[index] ?? 0), bias);
      const error = (1 / (1 + Math.exp(-sum)) - target) / scaled.length;
      biasGradient += error;
      for (const [index, value] of values.entries()) gradient[index] = (gradient[index] ?? 0) + error * value;
    }
    bias -= RATE * biasGradient;
    weights = weights.map((weight, index) => {
      const moved = weight - RATE * ((gradient[index] ?? 0) + penalty * weight);
      return moved * (signs[index] ?? 1) < 0 ? 0 : moved;
    });
  }
  return { bias, weights: weights.map((weight, index) => weight / (scales[index] ?? 1)) };
}

function computeScale(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.sqrt(variance) || 1;
}

package dev.sluice.benchmarks.run;

/**
 * One measured value.
 *
 * @param suite      by its name
 * @param scenario   see {@link Trial#scenario}
 * @param contestant see {@link Trial#contestant}
 * @param figure     see {@link Recorder#record}
 * @param round      from 1 on
 * @param value      in the unit of the figure
 */
public record Sample(String suite, String scenario, String contestant, String figure, int round, double value) {
}

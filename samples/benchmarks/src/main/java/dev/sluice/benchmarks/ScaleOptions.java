package dev.sluice.benchmarks;

import dev.sluice.benchmarks.run.Scale;
import picocli.CommandLine.Option;

/** The scale of the measurement: one of these, or by default the full one. */
class ScaleOptions {

    @Option(names = "--quick", description = "Fewer points and rounds: a suite within a minute, all of them in about "
            + "twenty minutes.")
    private boolean quick;

    @Option(names = "--smallest", description = "Everything once, as briefly as possible: shows that it works, and "
            + "says nothing about speed.")
    private boolean smallest;

    ScaleOptions() {
    }

    Scale scale() {
        if (smallest) {
            return Scale.SMALLEST;
        }
        return quick ? Scale.QUICK : Scale.FULL;
    }
}

package dev.sluice.samples.compare;

import java.util.Locale;

/** The figures measured in each repetition. */
enum Figure {
    REQUESTS_PER_SECOND("REQ/S", 0),
    P50("P50 US", 1),
    P99("P99 US", 1),
    P999("P99.9 US", 1),
    SWITCHES("SWITCHES/REQ", 3),
    BYTES("BYTES/REQ", 1),
    SERVER_CPU("SERVER CPU US/REQ", 1),
    /** Of the thread that makes the load, in percent of one CPU: at a hundred it is what limits the throughput. */
    GENERATOR_CPU("GENERATOR CPU %", 0),
    /** Of whatever else runs on the machine, in percent of one CPU; not a number where the system does not tell. */
    OTHERS_CPU("OTHERS CPU %", 0);

    private final String column;
    private final int decimals;

    Figure(String column, int decimals) {
        this.column = column;
        this.decimals = decimals;
    }

    /** {@return the name of its column} */
    String column() {
        return column;
    }

    String text(double value) {
        return Double.isNaN(value) ? Setup.NONE : String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}

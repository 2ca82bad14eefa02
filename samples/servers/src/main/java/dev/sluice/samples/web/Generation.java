package dev.sluice.samples.web;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which of the configurations that a server has had in turn.
 *
 * @param number from 1 on
 * @param loaded when it was applied
 */
record Generation(int number, Instant loaded) {

    /** {@return the first one} */
    static Generation first() {
        return new Generation(1, now());
    }

    /** {@return the one after this one} */
    Generation next() {
        return new Generation(number + 1, now());
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }

    /** {@return both by name} */
    Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("configuration", number);
        figures.put("configured", loaded);
        return figures;
    }

    @Override
    public String toString() {
        return "configuration " + number;
    }
}

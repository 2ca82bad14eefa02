package dev.sluice.samples.console;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Number of measurements done, and how long the rest will take. On a terminal this is a line that is rewritten with
 * each measurement; elsewhere a line is added after the first measurement, after each tenth of them, and when the last
 * line is a minute old.
 */
public final class Progress implements Closeable {

    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);
    private static final int PARTS = 10;

    private final PrintWriter out;
    private final String lineStart;
    private final boolean rewriting;
    private final int total;
    private final Duration planned;
    private final LongSupplier clock;
    private final long begin;
    private int measured;
    private Duration done = Duration.ZERO;
    private long lastLine;
    private int shown;

    /**
     * Begins.
     *
     * @param out       the destination
     * @param lineStart what a line begins with that is not rewritten
     * @param rewriting whether a line can be rewritten
     * @param total     the number of measurements
     * @param planned   how long they and what they need should take
     * @param clock     in nanoseconds
     */
    public Progress(PrintWriter out, String lineStart, boolean rewriting, int total, Duration planned,
            LongSupplier clock) {
        this.out = out;
        this.lineStart = lineStart;
        this.rewriting = rewriting;
        this.total = total;
        this.planned = planned;
        this.clock = clock;
        this.begin = clock.getAsLong();
        this.lastLine = begin;
        if (rewriting) {
            rewrite();
        }
    }

    /** {@return whether what is written to standard error appears on a terminal} */
    public static boolean isOnTerminal() {
        try {
            String file = Files.readSymbolicLink(STANDARD_ERROR).toString();
            return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty") || file.equals("/dev/console");
        } catch (IOException e) {
            // Closed or unknown: separate lines work everywhere.
            return false;
        }
    }

    /**
     * Counts the preparation of measurements.
     *
     * @param plan the planned time
     */
    public void prepared(Duration plan) {
        done = done.plus(plan);
        if (rewriting) {
            rewrite();
        }
    }

    /**
     * Counts a measurement.
     *
     * @param plan the planned time
     */
    public void measured(Duration plan) {
        done = done.plus(plan);
        measured++;
        if (rewriting) {
            rewrite();
        } else if (isDue()) {
            lastLine = clock.getAsLong();
            out.println(lineStart + text());
            out.flush();
        }
    }

    private boolean isDue() {
        boolean partComplete = (long) measured * PARTS / total > (long) (measured - 1) * PARTS / total;
        return measured == 1 || partComplete || clock.getAsLong() - lastLine >= LONGEST_SILENCE.toNanos();
    }

    private void rewrite() {
        String text = text();
        // The rest of a longer previous line is overwritten.
        out.print("\r" + text + " ".repeat(Math.max(shown - text.length(), 0)));
        out.flush();
        shown = text.length();
    }

    private String text() {
        String text = measured + " of " + total + " measurements";
        return measured == total ? text : text + ", about " + inWords(left()) + " left";
    }

    /** {@return the remaining time of the plan, scaled by the speed so far} */
    private Duration left() {
        Duration rest = planned.minus(done);
        if (done.isZero()) {
            return rest;
        }
        double pace = (double) (clock.getAsLong() - begin) / done.toNanos();
        return Duration.ofNanos(Math.round(Math.max(rest.toNanos(), 0) * pace));
    }

    /**
     * {@return a time in words}
     *
     * @param time the time
     */
    public static String inWords(Duration time) {
        long seconds = time.plusSeconds(1).minusNanos(1).toSeconds();
        if (seconds < Duration.ofMinutes(1).toSeconds()) {
            return seconds + " s";
        }
        return seconds < Duration.ofHours(1).toSeconds()
                ? seconds / 60 + " min " + seconds % 60 + " s"
                : seconds / 3600 + " h " + seconds / 60 % 60 + " min";
    }

    /** {@return the number of measurements that have not been made} */
    public int missing() {
        return total - measured;
    }

    /** Ends it, and leaves the line to others. */
    @Override
    public void close() {
        if (rewriting) {
            out.print("\r" + " ".repeat(shown) + "\r");
            out.flush();
        }
    }
}

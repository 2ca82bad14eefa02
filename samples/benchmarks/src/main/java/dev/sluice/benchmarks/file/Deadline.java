package dev.sluice.benchmarks.file;

/** The end of a measurement, which the operation that ends first after it notices for all others. */
final class Deadline {

    private volatile long end;
    private volatile boolean over;

    /** Sets the end of the next measurement, in nanoseconds of {@link System#nanoTime}. */
    void set(long nanoTime) {
        end = nanoTime;
        over = false;
    }

    /** An operation has ended at a time. */
    void notice(long now) {
        if (now - end >= 0) {
            over = true;
        }
    }

    /** {@return whether no more operations are to begin} */
    boolean isOver() {
        return over;
    }

    /** Lets no more operations begin, as one has failed. */
    void fail() {
        over = true;
    }
}

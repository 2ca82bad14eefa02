package dev.sluice.benchmarks.workload;

/** The end of a measurement, which the operation that ends first after it notices for all others. */
public final class Deadline {

    private volatile long end;
    private volatile boolean over;

    /** Creates a deadline that is not over. */
    public Deadline() {
    }

    /** Sets the end of the next measurement, in nanoseconds of {@link System#nanoTime}. */
    public void set(long nanoTime) {
        end = nanoTime;
        over = false;
    }

    /** An operation has ended at a time. */
    public void notice(long now) {
        if (now - end >= 0) {
            over = true;
        }
    }

    /** {@return whether no more operations are to begin} */
    public boolean isOver() {
        return over;
    }

    /** Lets no more operations begin, as one has failed. */
    public void fail() {
        over = true;
    }
}

package dev.sluice.stages;

/**
 * The paper's rate controller (4.1): computes how long a read must be postponed, so that packets are read at a target
 * rate at most. It counts packets after they have been read, so one read may exceed the rate; later ones are postponed
 * accordingly. It has no thread or clock, and does not sleep: the caller postpones its read with a timer. For use by
 * one thread.
 */
public final class RateController {

    private static final double NANOS_PER_SECOND = 1e9;

    private final double nanosPerPacket;
    private final double burst;
    /** Number of packets that may still arrive in a burst; negative if more have arrived than the rate allows. */
    private double available;
    private long before;
    private boolean begun;

    /**
     * Creates a controller.
     *
     * @param rate  packets per second, more than 0
     * @param burst the maximum number of packets in a burst, at least 1
     * @throws IllegalArgumentException if one of them is out of range
     */
    public RateController(double rate, int burst) {
        nanosPerPacket = NANOS_PER_SECOND / Ranges.positive("rate", rate);
        this.burst = Ranges.between("burst", burst, 1, Integer.MAX_VALUE);
        available = burst;
    }

    /**
     * Counts packets that have been read, and returns the delay of the next read.
     *
     * @param packets the number of packets
     * @param now     in nanoseconds, by a monotonic clock, such as {@link System#nanoTime()}
     * @return the time in nanoseconds to postpone the next read by; 0 to read immediately
     */
    public long postponement(int packets, long now) {
        if (begun) {
            available = Math.min(burst, available + (now - before) / nanosPerPacket);
        }
        begun = true;
        before = now;
        available -= packets;
        return available >= 0 ? 0 : (long) Math.ceil(-available * nanosPerPacket);
    }
}

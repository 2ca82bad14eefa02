package dev.sluice.stages;

/**
 * The paper's rate controller (4.1): returns for how long a read must be postponed, so that no more packets are read
 * than a target rate allows. It counts packets after they have been read, so the rate may be exceeded once, which it
 * makes up for afterwards. It has no thread or clock, and does not sleep: the caller postpones its read with a timer.
 * For one thread.
 */
public final class RateController {

    private static final double NANOS_PER_SECOND = 1e9;

    private final double nanosPerPacket;
    private final double burst;
    /** How many may still come at once; negative if more have come than may. */
    private double left;
    private long before;
    private boolean begun;

    /**
     * Makes one that has seen nothing yet.
     *
     * @param rate  packets per second, more than 0
     * @param burst how many may come at once, at least 1
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public RateController(double rate, int burst) {
        nanosPerPacket = NANOS_PER_SECOND / Ranges.positive("rate", rate);
        this.burst = Ranges.between("burst", burst, 1, Integer.MAX_VALUE);
        left = burst;
    }

    /**
     * Some packets have been read.
     *
     * @param packets how many
     * @param now     in nanoseconds, by a clock that never goes back, such as {@link System#nanoTime()}
     * @return for how many nanoseconds to postpone the next read; 0 for not at all
     */
    public long postponement(int packets, long now) {
        if (begun) {
            left = Math.min(burst, left + (now - before) / nanosPerPacket);
        }
        begun = true;
        before = now;
        left -= packets;
        return left >= 0 ? 0 : (long) Math.ceil(-left * nanosPerPacket);
    }
}

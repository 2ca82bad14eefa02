package dev.sluice.samples.io;

/** Limits the rate at which each connection is sent to. */
public final class Throttling implements TransferFilter {

    private final long rate;

    /**
     * Creates the filter.
     *
     * @param octetsPerSecond at least 1
     */
    public Throttling(long octetsPerSecond) {
        rate = octetsPerSecond;
    }

    @Override
    public void begins(Transfer transfer) {
        transfer.limitRate(rate);
    }
}

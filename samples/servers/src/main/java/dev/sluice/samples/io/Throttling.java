package dev.sluice.samples.io;

/** Lets each connection be sent to no faster than this. */
public final class Throttling implements TransferFilter {

    private final long rate;

    /**
     * Makes the filter.
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

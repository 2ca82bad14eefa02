package dev.sluice.samples.io;

/** Adds a line to the access log for each message, when it has been sent, or has got as far as it will. */
public final class Logging implements TransferFilter {

    /** Creates the filter. */
    public Logging() {
    }

    @Override
    public void ended(Transfer transfer) {
        AccessLog.Lines lines = transfer.lines();
        // The log may have come with a configuration that the loops of this server began without.
        if (lines != null) {
            lines.add(transfer.client(), transfer.requestLine(), transfer.outcome(), transfer.bodySent());
        }
    }
}

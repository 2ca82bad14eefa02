package dev.sluice.samples.io;

import dev.sluice.samples.conversation.FailedFilterException;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A filter that has been found. If it throws, its message is not sent, and the connection ends with that. */
final class GuardedTransferFilter implements TransferFilter {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedTransferFilter.class);

    private final String name;
    private final TransferFilter filter;

    GuardedTransferFilter(String name, TransferFilter filter) {
        this.name = name;
        this.filter = Objects.requireNonNull(filter, "no filter");
    }

    @Override
    public void begins(Transfer transfer) {
        try {
            filter.begins(transfer);
        } catch (RuntimeException | Error e) {
            throw new FailedFilterException(name, e);
        }
    }

    /** The message has been sent, and cannot fail any more. */
    @Override
    public void ended(Transfer transfer) {
        try {
            filter.ended(transfer);
        } catch (RuntimeException | Error e) {
            LOG.warn("{}", new FailedFilterException(name, e).getMessage());
        }
    }
}

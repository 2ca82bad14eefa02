package dev.sluice.samples.io;

import java.util.List;

/** A stack of output filters. Thread-safe. */
public final class TransferFilters {

    /** Nothing is done to what goes out. */
    public static final TransferFilters NONE = new TransferFilters(List.of());

    private final TransferFilter[] all;

    /**
     * Stacks filters.
     *
     * @param filters in the order in which they see a message
     */
    public TransferFilters(List<TransferFilter> filters) {
        all = filters.toArray(TransferFilter[]::new);
    }

    void begins(Transfer transfer) {
        for (TransferFilter filter : all) {
            filter.begins(transfer);
        }
    }

    void ended(Transfer transfer) {
        for (TransferFilter filter : all) {
            filter.ended(transfer);
        }
    }

    /**
     * {@return a filter whose failures are those of a filter of this name, and end only the connection}
     *
     * @param name   its name
     * @param filter the filter
     */
    public static TransferFilter guarded(String name, TransferFilter filter) {
        return new GuardedTransferFilter(name, filter);
    }
}

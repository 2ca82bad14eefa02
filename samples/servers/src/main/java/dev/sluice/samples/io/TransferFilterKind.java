package dev.sluice.samples.io;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The output filters that can be chosen for any protocol, in the order in which they are applied. */
public enum TransferFilterKind {
    /** No filters, if it is the only one. */
    NONE {
        @Override
        public TransferFilter of(FileServiceOptions service) {
            return null;
        }
    },
    /** Limits the rate of each connection. */
    THROTTLING {
        @Override
        public TransferFilter of(FileServiceOptions service) {
            return service.rate() == 0 ? null : new Throttling(service.rate());
        }
    },
    /** Keeps the access log. */
    LOGGING {
        @Override
        public TransferFilter of(FileServiceOptions service) {
            return service.isLogged() ? new Logging() : null;
        }
    };

    /**
     * Creates a filter.
     *
     * @param service what it has to do
     * @return the filter; null if there is nothing for it to do
     */
    public abstract TransferFilter of(FileServiceOptions service);

    /**
     * Creates a filter of each of these kinds.
     *
     * @param kinds   which ones, in whatever order
     * @param service what they have to do
     * @return the filters, those left out that have nothing to do
     */
    public static TransferFilters stack(Collection<TransferFilterKind> kinds, FileServiceOptions service) {
        List<TransferFilter> filters = new ArrayList<>();
        for (TransferFilterKind kind : values()) {
            TransferFilter filter = kinds.contains(kind) ? kind.of(service) : null;
            if (filter != null) {
                filters.add(filter);
            }
        }
        return new TransferFilters(filters);
    }
}

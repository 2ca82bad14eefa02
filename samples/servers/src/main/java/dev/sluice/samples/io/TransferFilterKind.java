package dev.sluice.samples.io;

import dev.sluice.samples.configurator.Providers;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.UnusableOptionException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.ParameterException;

/**
 * The standard output filters for any protocol, in the order in which they are applied. A {@link
 * TransferFilterProvider} provides others.
 */
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

    private static final String OPTION = "--filters";

    /**
     * Creates a filter.
     *
     * @param service what it has to do
     * @return the filter; null if there is nothing for it to do
     */
    public abstract TransferFilter of(FileServiceOptions service);

    /** {@return the name, such as {@code throttling}} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return those that are found, by their names} */
    public static Map<String, TransferFilterProvider> found() {
        return Providers.of(TransferFilterProvider.class, TransferFilterProvider::name);
    }

    /**
     * Checks that all filters are there.
     *
     * @param names those that are asked for
     * @param known those that are there besides the ones that come along
     * @param server makes the exception
     * @throws ParameterException if one is not
     */
    public static void require(Collection<String> names, Set<String> known, ServerOptions server) {
        Set<String> all = new TreeSet<>(known);
        for (TransferFilterKind each : values()) {
            all.add(each.toString());
        }
        for (String name : names) {
            if (!all.contains(name)) {
                throw server.bad(OPTION + ": there is no filter '" + name + "', but " + String.join(", ", all));
            }
        }
    }

    /**
     * Makes a filter that has been found.
     *
     * @param name     its name
     * @param provider makes it
     * @return the filter, whose failures name it
     * @throws UnusableOptionException if it cannot be made
     */
    public static TransferFilter open(String name, TransferFilterProvider provider) throws UnusableOptionException {
        try {
            return new GuardedTransferFilter(name, provider.filter());
        } catch (RuntimeException | Error e) {
            throw new UnusableOptionException(OPTION, name + ": " + e, e);
        }
    }

    /**
     * Makes a filter of each of these names.
     *
     * @param names   which ones, in whatever order
     * @param service what they have to do
     * @return the filters, those left out that have nothing to do
     * @throws UnusableOptionException if one cannot be made
     */
    public static TransferFilters stack(Collection<String> names, FileServiceOptions service)
            throws UnusableOptionException {
        List<TransferFilter> filters = new ArrayList<>();
        for (Map.Entry<String, TransferFilterProvider> each : found().entrySet()) {
            if (names.contains(each.getKey())) {
                filters.add(open(each.getKey(), each.getValue()));
            }
        }
        for (TransferFilterKind kind : values()) {
            TransferFilter filter = names.contains(kind.toString()) ? kind.of(service) : null;
            if (filter != null) {
                filters.add(filter);
            }
        }
        return new TransferFilters(filters);
    }
}

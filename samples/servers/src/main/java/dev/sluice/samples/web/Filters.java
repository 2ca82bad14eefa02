package dev.sluice.samples.web;

import dev.sluice.samples.configurator.Providers;
import dev.sluice.samples.io.FileServiceOptions;
import dev.sluice.samples.io.TransferFilter;
import dev.sluice.samples.io.TransferFilterKind;
import dev.sluice.samples.io.TransferFilterProvider;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.UnusableOptionException;
import dev.sluice.samples.web.protocol.ConditionalRequests;
import dev.sluice.samples.web.protocol.ContentCodings;
import dev.sluice.samples.web.protocol.Filter;
import dev.sluice.samples.web.protocol.FilterPosition;
import dev.sluice.samples.web.protocol.FilterProvider;
import dev.sluice.samples.web.protocol.GuardedFilter;
import dev.sluice.samples.web.protocol.RangeRequests;
import dev.sluice.samples.web.protocol.TransferOnlyFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.ParameterException;

/**
 * The filters that {@code --filters} has chosen. Those that come along are in the order that RFC 9110 fixes, and the
 * others where they {@linkplain FilterProvider#position() say}; among these, in the order in which they are named. What
 * goes with the reply to the client has no part in that, and comes last.
 */
final class Filters {

    private static final String OPTION = "--filters";
    private static final String CODINGS = "codings";
    private static final String CONDITIONS = "conditions";
    private static final String RANGES = "ranges";

    private final List<String> names;
    private final Map<String, FilterProvider> found = Providers.of(FilterProvider.class, FilterProvider::name);
    private final Map<String, TransferFilterProvider> transfers = TransferFilterKind.found();
    private final List<Filter> filters = new ArrayList<>();

    private Filters(List<String> names) {
        this.names = names;
    }

    /**
     * Checks that all filters are there.
     *
     * @param names those that are asked for
     * @param server makes the exception
     * @throws ParameterException if one is not
     */
    static void require(List<String> names, ServerOptions server) {
        Filters asked = new Filters(names);
        Set<String> known = new TreeSet<>(Set.of(CODINGS, CONDITIONS, RANGES));
        known.addAll(asked.found.keySet());
        known.addAll(asked.transfers.keySet());
        TransferFilterKind.require(names, known, server);
    }

    /**
     * {@return the filters of these names, in their order}
     *
     * @throws UnusableOptionException if one of those that were found cannot be made
     */
    static List<Filter> stack(List<String> names, WebSite site, FileServiceOptions service)
            throws UnusableOptionException {
        Filters chosen = new Filters(names);
        // First, because each coding is a representation of its own.
        chosen.addIf(CODINGS, new ContentCodings(site.files()));
        chosen.addFound(FilterPosition.BEFORE_CONDITIONS);
        chosen.addIf(CONDITIONS, new ConditionalRequests(site.clock()));
        chosen.addFound(FilterPosition.BEFORE_RANGES);
        chosen.addIf(RANGES, new RangeRequests(site.clock()));
        chosen.addFound(FilterPosition.AFTER_RANGES);
        chosen.addTransfers(service);
        return chosen.filters;
    }

    private void addIf(String name, Filter filter) {
        if (names.contains(name)) {
            filters.add(filter);
        }
    }

    private void addFound(FilterPosition position) throws UnusableOptionException {
        for (String name : names) {
            FilterProvider provider = found.get(name);
            if (provider != null) {
                addIfAt(position, name, provider);
            }
        }
    }

    private void addIfAt(FilterPosition position, String name, FilterProvider provider)
            throws UnusableOptionException {
        try {
            if (Objects.requireNonNull(provider.position(), "no position") == position) {
                filters.add(new GuardedFilter("the filter", name, provider.filter()));
            }
        } catch (RuntimeException | Error e) {
            throw new UnusableOptionException(OPTION, name + ": " + e, e);
        }
    }

    private void addTransfers(FileServiceOptions service) throws UnusableOptionException {
        for (String name : names) {
            if (transfers.containsKey(name)) {
                filters.add(new TransferOnlyFilter(TransferFilterKind.open(name, transfers.get(name))));
            }
        }
        for (TransferFilterKind kind : TransferFilterKind.values()) {
            TransferFilter filter = names.contains(kind.toString()) ? kind.of(service) : null;
            if (filter != null) {
                filters.add(new TransferOnlyFilter(filter));
            }
        }
    }
}

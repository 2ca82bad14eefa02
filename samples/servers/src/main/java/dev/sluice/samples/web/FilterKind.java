package dev.sluice.samples.web;

import dev.sluice.samples.io.FileServiceOptions;
import dev.sluice.samples.io.TransferFilter;
import dev.sluice.samples.io.TransferFilterKind;
import dev.sluice.samples.web.protocol.ConditionalRequests;
import dev.sluice.samples.web.protocol.ContentCodings;
import dev.sluice.samples.web.protocol.Filter;
import dev.sluice.samples.web.protocol.RangeRequests;
import dev.sluice.samples.web.protocol.TransferOnlyFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The filters that can be chosen, in the order in which they belong: RFC 9110 section 13.2.1 has conditions evaluated
 * on what would be sent otherwise, and ranges (section 14.2) after that. What goes with the reply to the client has no
 * part in that.
 */
enum FilterKind {
    /** None at all, if it is the only one. */
    NONE {
        @Override
        void addTo(List<Filter> filters, WebSite site, FileServiceOptions service) {
            // Stands for the empty list, which the command line cannot express.
        }
    },
    /** Content codings: first, because each is a representation of its own. */
    CODINGS {
        @Override
        void addTo(List<Filter> filters, WebSite site, FileServiceOptions service) {
            filters.add(new ContentCodings(site.files()));
        }
    },
    /** Conditional requests. */
    CONDITIONS {
        @Override
        void addTo(List<Filter> filters, WebSite site, FileServiceOptions service) {
            filters.add(new ConditionalRequests(site.clock()));
        }
    },
    /** Range requests. */
    RANGES {
        @Override
        void addTo(List<Filter> filters, WebSite site, FileServiceOptions service) {
            filters.add(new RangeRequests(site.clock()));
        }
    },
    /** A limit to the rate of each connection, if there is one. */
    THROTTLING {
        @Override
        void addTo(List<Filter> filters, WebSite site, FileServiceOptions service) {
            addIfAny(filters, TransferFilterKind.THROTTLING.of(service));
        }
    },
    /** The access log, if there is one. */
    LOGGING {
        @Override
        void addTo(List<Filter> filters, WebSite site, FileServiceOptions service) {
            addIfAny(filters, TransferFilterKind.LOGGING.of(service));
        }
    };

    abstract void addTo(List<Filter> filters, WebSite site, FileServiceOptions service);

    private static void addIfAny(List<Filter> filters, TransferFilter onTheWay) {
        if (onTheWay != null) {
            filters.add(new TransferOnlyFilter(onTheWay));
        }
    }

    /** {@return a filter of each of these kinds, in the order of the kinds} */
    static List<Filter> stack(Collection<FilterKind> kinds, WebSite site, FileServiceOptions service) {
        List<Filter> filters = new ArrayList<>();
        for (FilterKind kind : values()) {
            if (kinds.contains(kind)) {
                kind.addTo(filters, site, service);
            }
        }
        return filters;
    }
}

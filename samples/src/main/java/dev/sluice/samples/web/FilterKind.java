package dev.sluice.samples.web;

import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.protocol.ConditionalRequests;
import dev.sluice.samples.web.protocol.ContentCodings;
import dev.sluice.samples.web.protocol.Filter;
import dev.sluice.samples.web.protocol.HttpClock;
import dev.sluice.samples.web.protocol.RangeRequests;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The filters that can be chosen, in the order in which they belong: RFC 9110 section 13.2.1 has conditions evaluated
 * on what would be sent otherwise, and ranges (section 14.2) after that.
 */
enum FilterKind {
    /** None at all, if it is the only one. */
    NONE {
        @Override
        void addTo(List<Filter> filters, CachedFileSystem files, HttpClock clock) {
            // Stands for the empty list, which the command line cannot express.
        }
    },
    /** Content codings: first, because each is a representation of its own. */
    CODINGS {
        @Override
        void addTo(List<Filter> filters, CachedFileSystem files, HttpClock clock) {
            filters.add(new ContentCodings(files));
        }
    },
    /** Conditional requests. */
    CONDITIONS {
        @Override
        void addTo(List<Filter> filters, CachedFileSystem files, HttpClock clock) {
            filters.add(new ConditionalRequests(clock));
        }
    },
    /** Range requests. */
    RANGES {
        @Override
        void addTo(List<Filter> filters, CachedFileSystem files, HttpClock clock) {
            filters.add(new RangeRequests(clock));
        }
    };

    abstract void addTo(List<Filter> filters, CachedFileSystem files, HttpClock clock);

    /** {@return a filter of each of these kinds, in the order of the kinds} */
    static List<Filter> stack(Collection<FilterKind> kinds, CachedFileSystem files, HttpClock clock) {
        List<Filter> filters = new ArrayList<>();
        for (FilterKind kind : values()) {
            if (kinds.contains(kind)) {
                kind.addTo(filters, files, clock);
            }
        }
        return filters;
    }
}
